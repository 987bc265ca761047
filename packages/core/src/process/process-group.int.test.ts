import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

import { fixtureCommand, Lifeline } from '@mcpmux/test-servers';
import { describe, expect, it, vi } from 'vitest';

import { spawnProcess } from './server-process.js';
import { processGroup } from './process-group.js';

const GONE_MS = 5000;
/** Above the highest process id of any Linux. */
const NO_CALLER = 2 ** 30;
/** How a process ends that is killed. Windows has no signals. */
const KILLED = process.platform === 'win32' ? [1, null] : [null, 'SIGKILL'];

describe.runIf(process.platform !== 'win32')('a process group', () => {
  it('is alive until the last of its processes has gone, not only its leader', async () => {
    const leader = spawn('sh', ['-c', 'sleep 60 & exit 0'], { detached: true, stdio: 'ignore' });
    const group = processGroup(leader.pid ?? NO_CALLER);
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
    processGroup(pid ?? NO_CALLER).signal('SIGTERM');
    await lifeline.waitForAllGone(GONE_MS);
    expect(lifeline.alive).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('F13: of which only a zombie is left is not alive', async () => {
    // the inner shell stays a zombie: its parent has become a program that reaps nobody
    const script = 'set -m; sh -c "echo \\$\\$; exit 0" & exec sleep 60';
    const parent = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      const [chunk]: Buffer[] = await once(parent.stdout, 'data');
      const leader = Number(chunk?.toString());
      await vi.waitUntil(() => readFileSync(`/proc/${leader}/stat`, 'latin1').includes(') Z '), {
        timeout: GONE_MS,
        interval: 5,
      });
      expect(processGroup(leader).isAlive()).toBe(false);
    } finally {
      parent.kill('SIGKILL');
    }
  });

  it('that is gone is not alive, and can be sent a signal all the same', () => {
    const group = processGroup(NO_CALLER);
    expect(group.isAlive()).toBe(false);
    expect(() => group.signal('SIGKILL')).not.toThrow();
  });
});

describe('on Windows', () => {
  it('only the leader is looked at', () => {
    expect(processGroup(process.pid, 'win32').isAlive()).toBe(true);
    expect(processGroup(NO_CALLER, 'win32').isAlive()).toBe(false);
  });

  it('F1: taskkill ends the tree, by force: there is no other signal', () => {
    const runs: unknown[] = [];
    const tree = processGroup(4711, 'win32', (command, args) => runs.push([command, ...args]));
    tree.signal('SIGTERM');
    tree.signal('SIGKILL');
    const { SystemRoot = String.raw`C:\Windows` } = process.env;
    const taskkill = [String.raw`${SystemRoot}\System32\taskkill.exe`, '/PID', '4711', '/T', '/F'];
    expect(runs).toEqual([taskkill, taskkill]);
  });

  it('a missing taskkill is no error: the leader is ended', async () => {
    const leader = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    processGroup(leader.pid ?? NO_CALLER, 'win32').signal('SIGTERM');
    await expect(once(leader, 'exit')).resolves.toEqual(KILLED);
  });

  it('a taskkill that fails is no error: the leader is ended', async () => {
    const leader = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    processGroup(leader.pid ?? NO_CALLER, 'win32', (_, __, failed) => failed()).signal('SIGTERM');
    await expect(once(leader, 'exit')).resolves.toEqual(KILLED);
  });
});
