import { describe, expect, it } from 'vitest';

import { runInReadScope, runAtScopeEnd } from './read-scope.js';

function fail(): never {
  throw new Error('on purpose');
}

describe('the end of a turn', () => {
  it('comes when all that was read has been taken, and before anything else', () => {
    const done: string[] = [];
    runInReadScope(() => {
      runAtScopeEnd(() => done.push('first'));
      runAtScopeEnd(() => done.push('second'));
      done.push('taken');
    });
    expect(done).toEqual(['taken', 'first', 'second']);
  });

  it('of a turn within another one comes first, and the other one goes on', () => {
    const done: string[] = [];
    runInReadScope(() => {
      runAtScopeEnd(() => done.push('outer'));
      runInReadScope(() => runAtScopeEnd(() => done.push('inner')));
      done.push('between');
      runAtScopeEnd(() => done.push('outer again'));
    });
    expect(done).toEqual(['outer', 'inner', 'between', 'outer again']);
  });

  it('comes at once also when taking has failed', () => {
    const done: string[] = [];
    const take = (): void => {
      runAtScopeEnd(() => done.push('sent'));
      fail();
    };
    expect(() => runInReadScope(take)).toThrow('on purpose');
    expect(done).toEqual(['sent']);
  });

  it('comes after the code that runs now, when nothing is being read', async () => {
    const done: string[] = [];
    runAtScopeEnd(() => done.push('sent'));
    done.push('running');
    await Promise.resolve();
    expect(done).toEqual(['running', 'sent']);
  });

  it('is not held up by one that fails', () => {
    const done: string[] = [];
    const take = (): void => {
      runAtScopeEnd(fail);
      runAtScopeEnd(() => done.push('sent'));
    };
    expect(() => runInReadScope(take)).toThrow('on purpose');
    expect(done).toEqual(['sent']);
  });

  it('takes what comes up meanwhile as well', async () => {
    const done: string[] = [];
    runInReadScope(() => runAtScopeEnd(() => runAtScopeEnd(() => done.push('later'))));
    await Promise.resolve();
    expect(done).toEqual(['later']);
  });
});
