import { describe, expect, it } from 'vitest';

import { takeTurn, whenTurnIsOver } from './turn.js';

function fail(): never {
  throw new Error('on purpose');
}

describe('the end of a turn', () => {
  it('comes when all that was read has been taken, and before anything else', () => {
    const done: string[] = [];
    takeTurn(() => {
      whenTurnIsOver(() => done.push('first'));
      whenTurnIsOver(() => done.push('second'));
      done.push('taken');
    });
    expect(done).toEqual(['taken', 'first', 'second']);
  });

  it('comes at once also when taking has failed', () => {
    const done: string[] = [];
    const take = (): void => {
      whenTurnIsOver(() => done.push('sent'));
      fail();
    };
    expect(() => takeTurn(take)).toThrow('on purpose');
    expect(done).toEqual(['sent']);
  });

  it('comes after the code that runs now, when nothing is being read', async () => {
    const done: string[] = [];
    whenTurnIsOver(() => done.push('sent'));
    done.push('running');
    await Promise.resolve();
    expect(done).toEqual(['running', 'sent']);
  });

  it('is not held up by one that fails', () => {
    const done: string[] = [];
    const take = (): void => {
      whenTurnIsOver(fail);
      whenTurnIsOver(() => done.push('sent'));
    };
    expect(() => takeTurn(take)).toThrow('on purpose');
    expect(done).toEqual(['sent']);
  });

  it('takes what comes up meanwhile as well', async () => {
    const done: string[] = [];
    takeTurn(() => whenTurnIsOver(() => whenTurnIsOver(() => done.push('later'))));
    await Promise.resolve();
    expect(done).toEqual(['later']);
  });
});
