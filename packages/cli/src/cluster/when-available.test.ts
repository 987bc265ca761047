import { ClusterError } from '@mcpmux/cluster';
import { describe, expect, it } from 'vitest';

import type { WaitClock } from './waiting.js';
import { retryUntilAvailable } from './when-available.js';

function clock(): WaitClock {
  let now = 0;
  return {
    now: () => now,
    pause: (ms) => {
      now += ms;
      return Promise.resolve();
    },
  };
}

function failing(times: number, code: 'UNAVAILABLE' | 'REFUSED') {
  let tries = 0;
  return async () => {
    tries += 1;
    if (tries <= times) throw new ClusterError(code, `try ${tries}`);
    return Promise.resolve(tries);
  };
}

describe('a start while the engine of the cluster chooses a leader', () => {
  it('waits until the engine does what is asked', async () => {
    await expect(retryUntilAvailable(failing(20, 'UNAVAILABLE'), clock())).resolves.toBe(21);
  });

  it('fails after 15 seconds with the last reason', async () => {
    await expect(retryUntilAvailable(failing(1000, 'UNAVAILABLE'), clock())).rejects.toThrow('try 32');
  });

  it('fails at once for a reason that stays', async () => {
    await expect(retryUntilAvailable(failing(1, 'REFUSED'), clock())).rejects.toThrow('try 1');
  });
});
