import { once } from 'node:events';
import { resolve } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';

import { messageOf } from '@mcpmux/kit';
import { fixtureCommand, Lifeline } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import { RecordingGuard } from '../testing/recording-guard.js';
import { startProcess, type StartInit } from '../testing/started-process.js';
import { processGroup } from './process-group.js';
import { spawnProcess } from './server-process.js';

const GONE_MS = 5000;
const IS_WINDOWS = process.platform === 'win32';
const CALL_EXIT = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"exit","arguments":{}}}\n';

function node(script: string): StartInit {
  return { command: process.execPath, args: ['-e', script] };
}

/** As long as a process takes that does nothing. */
async function aWhile(): Promise<void> {
  await using other = await startProcess(node(''));
  await other.exited;
}

describe('a running process', () => {
  it('gets what is written to its stdin, and what it writes to stdout is read', async () => {
    await using started = await startProcess(node('process.stdin.pipe(process.stdout)'));
    const { input, output } = started.process.streams;
    output.end('Grüße\n');
    await expect(text(input)).resolves.toBe('Grüße\n');
    await expect(started.exited).resolves.toEqual({ exitCode: 0, signal: null });
  });

  it('has the marker in its environment, and its stderr is read line by line', async () => {
    await using started = await startProcess(node('console.error(`${process.env.MCPMUX_CHILD}\\nsecond`)'));
    await started.exited;
    expect(started.stderr).toEqual([expect.stringMatching(/^[\da-f-]{36}:1$/), 'second']);
    expect(started.process.stderr.excerpt).toEqual(started.stderr);
  });

  it.runIf(process.platform !== 'win32')('F10: leads a group of its own', async () => {
    await using started = await startProcess(node('process.stdin.pipe(process.stdout)'));
    expect(processGroup(started.process.pid).isAlive()).toBe(true);
  });
});

describe('the guard', () => {
  it('F12: is told of a process when it is spawned, and as soon as its group has gone', async () => {
    const guard = new RecordingGuard();
    await using started = await startProcess(node('process.stdin.resume()'), { guard });
    const { pid } = started.process;
    expect([guard.registered, guard.released]).toEqual([[pid], []]);
    await started.process.stop({ eofGraceMs: 10_000, termGraceMs: 0 });
    expect([guard.registered, guard.released]).toEqual([[pid], [pid]]);
  });
});

describe('the exit of a process', () => {
  it.each([0, 1, 255])('is reported with its code (%d)', async (exitCode) => {
    await using started = await startProcess(node(`process.exit(${exitCode})`));
    await expect(started.exited).resolves.toEqual({ exitCode, signal: null });
    expect(started.process.exit).toEqual({ exitCode, signal: null });
  });

  // A Windows process ends with a code, whoever has ended it.
  it.skipIf(IS_WINDOWS).each<NodeJS.Signals>(['SIGKILL', 'SIGTERM', 'SIGSEGV'])(
    'is reported with its signal (%s)',
    async (signal) => {
      await using started = await startProcess(
        node(`process.kill(process.pid, '${signal}'); setInterval(() => 0, 1e4)`),
      );
      await expect(started.exited).resolves.toEqual({ exitCode: null, signal });
    },
  );

  it('is reported once, also when it is stopped afterwards', async () => {
    await using started = await startProcess(node(''));
    await started.exited;
    await started.process.stop({ eofGraceMs: 1000, termGraceMs: 1000 });
    await started.process.stop({ eofGraceMs: 1000, termGraceMs: 1000 });
    expect(started.exits).toHaveLength(1);
  });

  it('is reported after its last output', async () => {
    const script =
      "process.stdout.write('x'.repeat(1e6)); process.stderr.write('last words'); process.exitCode = 7";
    let received = 0;
    let receivedAtExit = 0;
    await using started = await startProcess(node(script));
    started.process.streams.input.on('data', (chunk: Buffer) => (received += chunk.length));
    await started.exited.then(() => (receivedAtExit = received));
    expect(receivedAtExit).toBe(1e6);
    expect(started.stderr).toEqual(['last words']);
  });

  // A Windows pipe holds less than this process writes, which then does not end.
  it.skipIf(IS_WINDOWS)('loses no output of a process whose reader has paused', async () => {
    const bytes = 180_000;
    const script = `process.stdout.write('x'.repeat(${bytes}), () => process.exit(0))`;
    await using started = await startProcess(node(script));
    const { input } = started.process.streams;
    let received = 0;
    input.on('data', (chunk: Buffer) => {
      received += chunk.length;
      // As a client does that cannot take more: after the exit nobody will resume the stream.
      input.pause();
    });
    input.pause();
    await started.exited;
    expect(received).toBe(bytes);
  });

  it('is acted on although a descendant holds its stdout open, and ends that one too', async () => {
    await using lifeline = await Lifeline.open();
    await using started = await startProcess({
      ...fixtureCommand('tree'),
      env: { LIFELINE: lifeline.address },
    });
    await lifeline.waitForAlive(3);
    started.process.streams.output.write(CALL_EXIT);
    await expect(started.exited).resolves.toEqual({ exitCode: 1, signal: null });
    await lifeline.waitForAllGone(GONE_MS);
    expect(lifeline.alive).toEqual([]);
  });

  it('is reported although a descendant out of reach holds its stdout open', async () => {
    // It carries no marker and has left the group: nothing of ours can find it.
    const escape = `const { pid } = require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => 0, 6e4)'],
      { detached: true, stdio: 'inherit', env: { PATH: process.env.PATH } });
      process.stdout.write(String(pid), () => process.exit(3))`;
    await using started = await startProcess(node(escape));
    const [pid] = await once(started.process.streams.input, 'data');
    try {
      await expect(started.exited).resolves.toEqual({ exitCode: 3, signal: null });
      expect(process.kill(Number(String(pid)), 0)).toBe(true);
      // Its pipes are closed on our side now: that is not reported as a second end.
      const { input } = started.process.streams;
      if (!input.closed) await once(input, 'close');
      await aWhile();
      expect(started.exits).toHaveLength(1);
    } finally {
      process.kill(Number(String(pid)), 'SIGKILL');
    }
  });
});

describe('a process that cannot be started', () => {
  it('is an error with the reason of the operating system', async () => {
    await expect(startProcess({ command: '/no/such/program', args: [] })).rejects.toMatchObject({
      code: 'SPAWN_FAILED',
      message: 'command "/no/such/program" could not be started: ENOENT spawn /no/such/program ENOENT',
    });
  });

  it.skipIf(IS_WINDOWS)(
    'fault A12, fault A17: is an error when spawn throws, as for an environment that is too large',
    async () => {
      const env = { LARGE: 'x'.repeat(200_000) };
      await expect(startProcess({ ...node(''), env })).rejects.toMatchObject({
        code: 'SPAWN_FAILED',
        message: expect.stringContaining('E2BIG'),
        cause: expect.any(Error),
      });
    },
  );
});

describe('a value that cannot be passed to a process', () => {
  it.each([
    [
      'environment',
      { ...node(''), env: { TOKEN: 'canary\0' } },
      "The property 'options.env['TOKEN']' must be",
    ],
    [
      'arguments',
      { command: process.execPath, args: ['--token=canary\0'] },
      "The argument 'args[0]' must be",
    ],
  ])('fault A12: is named and not shown, from the %s', async (_, init, named) => {
    const error: unknown = await startProcess(init).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'SPAWN_FAILED', message: expect.stringContaining(named) });
    expect(messageOf(error)).not.toContain('canary');
  });
});

describe('spawnProcess', () => {
  it('uses no shell', async () => {
    const args = ['-e', 'process.stdout.write(process.argv[1])', '$(id); * "'];
    const child = spawnProcess({ command: process.execPath, args, env: process.env });
    await expect(text(child.stdout)).resolves.toBe('$(id); * "');
  });

  it('starts the program in cwd', async () => {
    const child = spawnProcess({
      ...node('process.stdout.write(process.cwd())'),
      env: process.env,
      cwd: '/',
    });
    await expect(text(child.stdout)).resolves.toBe(resolve('/'));
  });
});
