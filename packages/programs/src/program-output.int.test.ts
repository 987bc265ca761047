import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';

import { expect, it, vi } from 'vitest';

import { endProcessGroup, programOutput } from './program-output.js';

const LIMITS = { timeoutMs: 20_000, maxBytes: 1000 };

function node(program: string): Parameters<typeof programOutput>[0] {
  return { command: process.execPath, args: ['-e', program], env: process.env };
}

it('a program runs without input to its end, registered until then', async () => {
  const seen: unknown[] = [];
  const program =
    "process.stdin.on('end', () => { console.log('out'); console.error('err'); process.exitCode = 3; }).resume()";
  const output = await programOutput(node(program), LIMITS, (pid) => {
    seen.push(pid);
    return () => seen.push('ended');
  });
  expect(output).toEqual({ end: 'exit', code: 3, stdout: 'out\n', stderr: 'err\n' });
  expect(seen).toEqual([expect.any(Number), 'ended']);
});

it('a program is ended at its limits, with what it has started', async () => {
  const child =
    "require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { stdio: 'inherit' })";
  const slow = await programOutput(node(`${child}; setTimeout(() => {}, 60000)`), {
    ...LIMITS,
    timeoutMs: 500,
  });
  expect(slow).toMatchObject({ end: 'timeout' });
  const long = await programOutput(node("setInterval(() => console.log('x'.repeat(100)), 1)"), LIMITS);
  expect(long).toMatchObject({ end: 'too-long' });
});

it.skipIf(process.platform === 'win32')('a program that a signal has ended has no output', async () => {
  const killed = await programOutput(node("process.kill(process.pid, 'SIGKILL')"), LIMITS);
  expect(killed).toEqual({ end: 'signal', signal: 'SIGKILL', stderr: '' });
});

it('a process that a program has left with its output does not delay the output', async () => {
  const left =
    "require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { stdio: 'inherit' }).unref()";
  const output = await programOutput(node(`${left}; console.log('out')`), LIMITS);
  expect(output).toMatchObject({ end: 'exit', code: 0, stdout: 'out\n' });
});

it('a program that cannot be started rejects', async () => {
  const spec = { command: '/no/such/program', args: [], env: {} };
  await expect(programOutput(spec, LIMITS)).rejects.toThrow('ENOENT');
});

it('a program is ended when the signal is aborted, and is not started after that', async () => {
  const abort = new AbortController();
  const pids: number[] = [];
  const running = programOutput(
    node('setTimeout(() => {}, 60000)'),
    { ...LIMITS, signal: abort.signal },
    (pid) => {
      pids.push(pid);
      return () => undefined;
    },
  );
  abort.abort();
  expect(await running).toMatchObject({ end: 'aborted' });
  const [pid = 0] = pids;
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  await expect(programOutput(node(''), { ...LIMITS, signal: abort.signal })).rejects.toThrow('abort');
});

it.skipIf(process.platform === 'win32')(
  'the pipes are closed, even if a process that has left the group holds them',
  async () => {
    const pipes = (): number =>
      process.getActiveResourcesInfo().filter((resource) => resource === 'PipeWrap').length;
    const before = pipes();
    const daemon =
      "spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { stdio: 'inherit', detached: true })";
    const left = `const { spawn } = require('node:child_process'); const child = ${daemon}; process.stdout.write(String(child.pid)); child.unref()`;
    const output = await programOutput(node(left), LIMITS);
    try {
      expect(output).toMatchObject({ end: 'exit', code: 0 });
      await vi.waitUntil(() => pipes() === before);
    } finally {
      if (output.end === 'exit') process.kill(Number(output.stdout), 'SIGKILL');
    }
  },
);

it('on Windows, taskkill ends the tree of a program that runs', () => {
  const runs: unknown[] = [];
  const run = (command: string, args: readonly string[]): void => void runs.push([command, ...args]);
  endProcessGroup({ pid: 4711, exitCode: null, signalCode: null }, 'win32', run);
  endProcessGroup({ pid: 4711, exitCode: 0, signalCode: null }, 'win32', run);
  expect(runs).toEqual([[String.raw`C:\Windows\System32\taskkill.exe`, '/PID', '4711', '/T', '/F']]);
});

it('on Windows, the program is ended if taskkill fails', async () => {
  const program = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  endProcessGroup(program, 'win32', (_, __, failed) => failed());
  await expect(once(program, 'exit')).resolves.toEqual([null, 'SIGKILL']);
});
