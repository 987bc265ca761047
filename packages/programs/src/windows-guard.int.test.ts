import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';

import { describe, expect, it, vi } from 'vitest';

import { windowsGuard, type ProcessList } from './windows-guard.js';

/** A process that starts one that is not its own any more when it ends, and prints its id. */
const PARENT = `
const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
process.stdout.write(String(child.pid));
setInterval(() => {}, 1000);
`;
/** The processes of this machine, as the `wmic` of Wine lists them. */
const PS: ProcessList = ['ps', '-eo', 'ppid=,pid='];
const NOTHING: ProcessList = [process.execPath, '-e', ''];

/** A list as that of PowerShell or `wmic`: the time of creation, the parent and the process. */
function listOf(created: string, parent: number, pid: number): ProcessList {
  const text = `CreationDate  ParentProcessId  ProcessId  \r\n${created}  ${parent}  ${pid}  \r\n`;
  return [process.execPath, '-e', `process.stdout.write(${JSON.stringify(text)})`];
}

/** A time as Windows writes it, on a clock that is `zone` minutes ahead. */
function written(ms: number, zone = 0): string {
  const digits = new Date(ms + zone * 60_000).toISOString().replaceAll(/[-:TZ]/g, '');
  return `${digits}000${zone < 0 ? '-' : '+'}${String(Math.abs(zone)).padStart(3, '0')}`;
}

/** Runs a guard that reads these lines and then the end of its input. Resolves when the guard is gone. */
async function guard(lists: readonly ProcessList[], ...lines: readonly string[]): Promise<void> {
  const { command, args, env } = windowsGuard(process.env, lists);
  const program = spawn(command, args, { env, stdio: ['pipe', 'ignore', 'inherit'] });
  program.stdin.end(lines.map((line) => `${line}\n`).join(''));
  await once(program, 'exit');
}

/** A process, and another below it. */
async function tree(): Promise<{ parent: ChildProcess; child: number } & AsyncDisposable> {
  const parent = spawn(process.execPath, ['-e', PARENT], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [text] = (await once(parent.stdout, 'data')) as [Buffer];
  const child = Number(text);
  return {
    parent,
    child,
    [Symbol.asyncDispose]: async () => {
      for (const pid of [parent.pid ?? 0, child]) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
      if (parent.exitCode === null && parent.signalCode === null) await once(parent, 'exit');
    },
  };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Resolves when a process that is no child of this one has ended. */
function gone(pid: number): Promise<boolean> {
  return vi.waitUntil(() => !isRunning(pid), { timeout: 5000, interval: 10 });
}

describe.skipIf(process.platform === 'win32')('when mcpmux has ended, the guard of Windows', () => {
  it('ends a registered process and its descendants', async () => {
    await using processes = await tree();
    const { parent, child } = processes;
    const exit = once(parent, 'exit');
    await guard([PS], `+${parent.pid}`);
    await exit;
    await expect(gone(child)).resolves.toBe(true);
  });

  it('ends the descendants of a registered process that has ended with mcpmux', async () => {
    await using processes = await tree();
    const { parent, child } = processes;
    // The child has another parent by then; on Windows it keeps the id.
    const list = listOf(written(Date.now()), parent.pid ?? 0, child);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    await guard([list], `+${parent.pid}`);
    await expect(gone(child)).resolves.toBe(true);
  });

  it('ends the descendants of a process that has ended, while mcpmux goes on', async () => {
    await using processes = await tree();
    const { parent, child } = processes;
    const list = listOf(written(Date.now()), parent.pid ?? 0, child);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    await guard([list], `+${parent.pid}`, `-${parent.pid}`);
    await expect(gone(child)).resolves.toBe(true);
  });

  it('leaves the descendants of a process alone that was never registered', async () => {
    await using processes = await tree();
    const { parent, child } = processes;
    await guard([PS], `-${parent.pid}`);
    expect(isRunning(child)).toBe(true);
  });

  it('asks the next list if one has no process', async () => {
    await using processes = await tree();
    const { parent, child } = processes;
    await guard([['/no/such/program'], NOTHING, PS], `+${parent.pid}`);
    await expect(gone(child)).resolves.toBe(true);
  });

  it('leaves a process alone that has the id of one that has ended', async () => {
    await using one = await tree();
    await using other = await tree();
    await guard([PS], `+${one.parent.pid}`, `+${other.parent.pid}`, `-${one.parent.pid}`);
    await expect(gone(other.child)).resolves.toBe(true);
    expect(isRunning(one.parent.pid ?? 0)).toBe(true);
  });

  it('leaves a process alone whose parent got the id of one that has ended', async () => {
    await using other = await tree();
    const list = listOf(written(Date.now() + 60_000), 2 ** 22, other.child);
    await guard([list], `+${2 ** 22}`, `-${2 ** 22}`);
    expect(isRunning(other.child)).toBe(true);
  });

  it('ends the descendants of all processes that end while it reads a list', async () => {
    await using processes = await tree();
    const list = listOf(written(Date.now()), 2 ** 21, processes.child);
    const lines = Array.from({ length: 5 }, (_, index) => [`+${2 ** 22 + index}`, `-${2 ** 22 + index}`]);
    await guard([list], ...lines.flat(), `+${2 ** 21}`, `-${2 ** 21}`);
    await expect(gone(processes.child)).resolves.toBe(true);
  });

  it.each([0, 60, -210])('reads the times of a clock that is %i minutes ahead', async (zone) => {
    await using other = await tree();
    const list = listOf(written(Date.now(), zone), 2 ** 22, other.child);
    await guard([list], `+${2 ** 22}`);
    await expect(gone(other.child)).resolves.toBe(true);
  });

  it.each([
    ['older than the registered process', -10_000],
    ['younger than the end of mcpmux', 60_000],
  ])('leaves a process alone that carries the id as its parent and is %s', async (_, age) => {
    await using other = await tree();
    await guard([listOf(written(Date.now() + age, 60), 2 ** 22, other.child)], `+${2 ** 22}`);
    expect(isRunning(other.child)).toBe(true);
  });
});
