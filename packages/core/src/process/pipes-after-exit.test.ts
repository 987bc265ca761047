import { EventEmitter } from 'node:events';

import { beforeEach, describe, expect, it } from 'vitest';

import { ManualClock } from '@mcpmux/testing/manual-clock';
import { whenPipesAreRead } from './pipes-after-exit.js';

class ExitedChild extends EventEmitter {
  readonly stdout = { bytesRead: 0 };
  readonly stderr = { bytesRead: 0 };
}

describe('the pipes of a process that has exited', () => {
  let child: ExitedChild;
  let clock: ManualClock;
  let done = 0;
  beforeEach(() => {
    child = new ExitedChild();
    clock = new ManualClock();
    done = 0;
    whenPipesAreRead(child, clock, () => (done += 1));
  });

  it('are read to the end, once', () => {
    child.emit('close');
    clock.advance(10_000);
    expect(done).toBe(1);
    expect(child.listenerCount('close')).toBe(0);
  });

  it('are given up when a grandchild holds them open and says nothing', () => {
    clock.advance(249);
    expect(done).toBe(0);
    clock.advance(11);
    expect(done).toBe(1);
  });

  it.each(['stdout', 'stderr'] as const)('are not given up while bytes of %s come', (pipe) => {
    clock.advance(250);
    for (let round = 0; round < 5; round += 1) {
      child[pipe].bytesRead += 100;
      clock.advance(10);
      expect(done).toBe(0);
    }
    clock.advance(10);
    expect(done).toBe(1);
  });

  it('are given up when a grandchild writes for ever', () => {
    for (let round = 0; round < 2000; round += 1) {
      child.stdout.bytesRead += 1;
      clock.advance(1);
    }
    expect(done).toBe(1);
  });
});
