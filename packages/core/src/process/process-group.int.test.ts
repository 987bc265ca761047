import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { fixtureCommand, Lifeline } from '@mcpmux/test-servers';
import { describe, expect, it, vi } from 'vitest';

import { spawnProcess } from './server-process.js';
import { processGroup } from './process-group.js';

const GONE_MS = 5000;
/** Above the highest process id of any Linux. */
const NOBODY = 2 ** 30;

describe.runIf(process.platform !== 'win32')('a process group', () => {
  it('is alive until the last of its processes has gone, not only its leader', async () => {
    const leader = spawn('sh', ['-c', 'sleep 60 & exit 0'], { detached: true, stdio: 'ignore' });
    const group = processGroup(leader.pid ?? NOBODY);
    await once(leader, 'exit');
    expect(group.isAlive()).toBe(true);
    group.signal('SIGKILL');
    await vi.waitUntil(() => !group.isAlive(), { timeout: GONE_MS, interval: 10 });
    expect(group.isAlive()).toBe(false);
  });

  it('gets a signal as a whole', async () => {
    await using lifeline = await Lifeline.open();
    const env = { ...process.env, LIFELINE: lifeline.address };
    const { pid } = spawnProcess({ ...fixtureCommand('tree'), env });
    await lifeline.waitForAlive(3);
    processGroup(pid ?? NOBODY).signal('SIGTERM');
    await lifeline.waitForAllGone(GONE_MS);
    expect(lifeline.alive).toEqual([]);
  });

  it('that is gone is not alive, and can be sent a signal all the same', () => {
    const group = processGroup(NOBODY);
    expect(group.isAlive()).toBe(false);
    expect(() => group.signal('SIGKILL')).not.toThrow();
  });
});

describe('on Windows', () => {
  it('only the leader is looked at', () => {
    expect(processGroup(process.pid, 'win32').isAlive()).toBe(true);
    expect(processGroup(NOBODY, 'win32').isAlive()).toBe(false);
  });

  it('a missing taskkill is no error', () => {
    expect(() => processGroup(NOBODY, 'win32').signal('SIGKILL')).not.toThrow();
  });
});
