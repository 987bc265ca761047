import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { fixtureCommand, Lifeline, type Life } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import { temporaryFolder, type TemporaryFolder } from '@mcpmux/testing/temporary-folder';
import { serverEnvironment } from './environment.js';
import { killMarkedProcesses } from './marker-sweep.js';
import { spawnProcess } from './server-process.js';

const GONE_MS = 5000;
/** Above the highest process id of any Linux. */
const NO_CALLER = 2 ** 30;

/** Writes what /proc would show of one process. */
async function pretend(procRoot: TemporaryFolder, pid: number | string, environ: string): Promise<void> {
  await mkdir(join(procRoot.path, String(pid)));
  await writeFile(join(procRoot.path, String(pid), 'environ'), environ);
}

/** A process that does nothing and may be killed. */
function victim(): { readonly child: ChildProcess; readonly pid: number } {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  if (child.pid === undefined) throw new Error('sleep was not started');
  return { child, pid: child.pid };
}

async function startEscapee(lifeline: Lifeline, marker: string): Promise<readonly Life[]> {
  const before = lifeline.alive.length;
  const env = serverEnvironment(process.env, { LIFELINE: lifeline.address }, marker);
  spawnProcess({ ...fixtureCommand('setsid-escapee'), env });
  return lifeline.waitForAlive(before + 2);
}

describe('the sweep', () => {
  // Windows has no /proc, and no `sleep` to end
  it.skipIf(process.platform === 'win32')(
    'kills the processes that carry the marker and says which',
    async () => {
      await using procRoot = await temporaryFolder();
      const { child, pid } = victim();
      await pretend(procRoot, pid, 'PATH=/bin\0MCPMUX_CHILD=instance:7\0HOME=/\0');
      const exited = once(child, 'exit');
      await expect(killMarkedProcesses('instance:7', procRoot.path)).resolves.toEqual([pid]);
      await expect(exited).resolves.toEqual([null, 'SIGKILL']);
    },
  );

  it.skipIf(process.platform === 'win32').each([
    ['another run', 'MCPMUX_CHILD=instance:77\0'],
    ['another instance', 'MCPMUX_CHILD=other-instance:7\0'],
    ['the marker as part of another variable', 'NOTE=MCPMUX_CHILD=instance:7\0'],
    ['the marker on a second line of a variable', 'NOTE=\nMCPMUX_CHILD=instance:7\0'],
    ['no environment', ''],
  ])('F15: spares a process with %s', async (_, environ) => {
    await using procRoot = await temporaryFolder();
    const { child, pid } = victim();
    try {
      await pretend(procRoot, pid, environ);
      await expect(killMarkedProcesses('instance:7', procRoot.path)).resolves.toEqual([]);
      expect(child.kill(0)).toBe(true);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('spares itself', async () => {
    await using procRoot = await temporaryFolder();
    await pretend(procRoot, process.pid, 'MCPMUX_CHILD=instance:7\0');
    await expect(killMarkedProcesses('instance:7', procRoot.path)).resolves.toEqual([]);
  });

  it('passes over what is gone, what cannot be read and what is no process', async () => {
    await using procRoot = await temporaryFolder();
    await pretend(procRoot, NO_CALLER, 'MCPMUX_CHILD=instance:7\0');
    await pretend(procRoot, 'self', 'MCPMUX_CHILD=instance:7\0');
    await mkdir(join(procRoot.path, String(NO_CALLER + 1)));
    await expect(killMarkedProcesses('instance:7', procRoot.path)).resolves.toEqual([]);
  });

  it('finds nothing where there is no /proc', async () => {
    await expect(killMarkedProcesses('instance:7', '/no/such/folder')).resolves.toEqual([]);
  });

  it.runIf(process.platform === 'linux')('F4: reaches a descendant in a session of its own', async () => {
    await using lifeline = await Lifeline.open();
    const instance = randomUUID();
    const marked = (await startEscapee(lifeline, `${instance}:1`)).map(({ pid }) => pid);
    const others = (await startEscapee(lifeline, `${instance}:11`)).filter(
      ({ pid }) => !marked.includes(pid),
    );
    const swept = await killMarkedProcesses(`${instance}:1`);
    expect(swept.toSorted((a, b) => a - b)).toEqual(marked.toSorted((a, b) => a - b));
    for (const pid of marked) await lifeline.waitForGone(pid, GONE_MS);
    expect(lifeline.alive).toEqual(others);
  });
});
