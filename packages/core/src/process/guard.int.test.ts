import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { nullLogger } from '@mcpmux/kit';
import { fixturePath, Lifeline, type FixtureName } from '@mcpmux/test-servers';
import { describe, expect, it, vi } from 'vitest';

import { bundleProgram } from '../testing/bundled-program.js';
import type { GuardedProgramInput } from '../testing/guarded-program.js';
import { RecordingLogger } from '../testing/recording-logger.js';
import { temporaryFolder } from '@mcpmux/testing/temporary-folder';
import { serverEnvironment } from './environment.js';
import { guardProgram, ProcessGuard } from './guard.js';
import { processGroup } from './process-group.js';
import { spawnProcess } from './server-process.js';

const IS_LINUX = process.platform === 'linux';
const GONE_MS = 5000;
const WAIT = { timeout: 10_000, interval: 20 };

/** The processes that guard one instance. */
async function guardsOf(instanceId: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry));
  const commands = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return pids
    .filter((_, index) => commands[index]?.endsWith(`\0mcpmux-guard\0${instanceId}\0`) === true)
    .map(Number);
}

async function theGuardOf(instanceId: string): Promise<number> {
  const [guard, ...others] = await guardsOf(instanceId);
  expect(others).toEqual([]);
  if (guard === undefined) throw new Error('there is no guard');
  return guard;
}

/** Resolves when no guard of this instance is left. */
function guardToGo(instanceId: string): Promise<boolean> {
  return vi.waitUntil(async () => (await guardsOf(instanceId)).length === 0, WAIT);
}

/** Starts a fixture in a group of its own. */
function startGroup(fixture: FixtureName, lifeline: Lifeline, marker: string): number {
  const env = serverEnvironment(process.env, { LIFELINE: lifeline.address }, marker);
  const { pid } = spawnProcess({ command: process.execPath, args: [fixturePath(fixture)], env });
  if (pid === undefined) throw new Error(`${fixture} was not started`);
  return pid;
}

/** Runs a host with these groups under its guard, and kills it once all their processes are up. */
async function killHost(input: GuardedProgramInput, lifeline: Lifeline, processes: number): Promise<void> {
  await using folder = await temporaryFolder();
  const program = join(folder.path, 'guarded-program.mjs');
  await bundleProgram(fileURLToPath(new URL('../testing/guarded-program.ts', import.meta.url)), program);
  const host = spawn(process.execPath, [program, JSON.stringify(input)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, LIFELINE: lifeline.address },
  });
  try {
    await once(host.stdout, 'data');
    await lifeline.waitForAlive(processes);
  } finally {
    host.kill('SIGKILL');
  }
}

describe.runIf(IS_LINUX)('when mcpmux is killed', () => {
  it('F6: the guard ends every group and every descendant that left its group', async () => {
    await using lifeline = await Lifeline.open();
    const instanceId = randomUUID();
    const group = (fixture: FixtureName): GuardedProgramInput['groups'][number] => ({
      path: fixturePath(fixture),
      marker: `${instanceId}:1`,
      isReleased: false,
    });
    await killHost({ instanceId, groups: [group('tree'), group('setsid-escapee')] }, lifeline, 3 + 2);
    await lifeline.waitForAllGone(GONE_MS);
    await guardToGo(instanceId);
    expect(lifeline.alive).toEqual([]);
  });

  it('F12, F15: the guard leaves released groups and the processes of other instances alone', async () => {
    await using lifeline = await Lifeline.open();
    const instanceId = randomUUID();
    const groups = [
      { path: fixturePath('setsid-escapee'), marker: `${instanceId}:1`, isReleased: false },
      { path: fixturePath('tree'), marker: 'another-instance:1', isReleased: true },
    ];
    await killHost({ instanceId, groups }, lifeline, 2 + 3);
    await guardToGo(instanceId);
    await vi.waitUntil(() => lifeline.alive.length <= 2, WAIT);
    expect(lifeline.alive.map(({ role }) => role)).toEqual(['grandchild', 'grandchild']);
  });
});

describe.runIf(IS_LINUX)('the guard', () => {
  it('is started with the first group, and is one process for all', async () => {
    await using lifeline = await Lifeline.open();
    const instanceId = randomUUID();
    const guard = new ProcessGuard(instanceId, nullLogger);
    expect(await guardsOf(instanceId)).toEqual([]);
    try {
      for (const generation of [1, 2]) {
        guard.register(startGroup('ignore-eof', lifeline, `${instanceId}:${generation}`));
        expect(await guardsOf(instanceId)).toHaveLength(1);
      }
    } finally {
      guard.close();
    }
    await lifeline.waitForAllGone(GONE_MS);
  });

  it('goes when it is let go, and leaves released groups alone', async () => {
    await using lifeline = await Lifeline.open();
    const instanceId = randomUUID();
    const guard = new ProcessGuard(instanceId, nullLogger);
    const pids = [1, 2, 3].map((generation) =>
      startGroup('ignore-eof', lifeline, `${instanceId}:${generation}`),
    );
    await lifeline.waitForAlive(3);
    for (const pid of pids) guard.register(pid);
    for (const pid of pids) guard.unregister(pid);
    guard.close();
    await guardToGo(instanceId);
    expect(lifeline.alive).toHaveLength(3);
  });

  it.each([
    ['first', 0],
    ['second', 1],
    ['last', 2],
  ])('still ends the other groups when the %s of three was released', async (_, released) => {
    await using lifeline = await Lifeline.open();
    const instanceId = randomUUID();
    const guard = new ProcessGuard(instanceId, nullLogger);
    const pids = [1, 2, 3].map((generation) =>
      startGroup('ignore-eof', lifeline, generation - 1 === released ? 'another:1' : `${instanceId}:1`),
    );
    await lifeline.waitForAlive(3);
    for (const pid of pids) guard.register(pid);
    guard.unregister(pids[released] ?? 0);
    guard.close();
    await guardToGo(instanceId);
    expect(lifeline.alive.map(({ pid }) => pid)).toEqual([pids[released]]);
  });

  it('ends a group that ignores SIGTERM', async () => {
    await using lifeline = await Lifeline.open();
    const instanceId = randomUUID();
    const guard = new ProcessGuard(instanceId, nullLogger);
    // Without the marker of the instance, so that it is the group that is found.
    guard.register(startGroup('ignore-sigterm', lifeline, 'another-instance:1'));
    await lifeline.waitForAlive(1);
    guard.close();
    await lifeline.waitForAllGone(GONE_MS);
    expect(lifeline.alive).toEqual([]);
  });

  it('is not ended by the signals that end mcpmux', async () => {
    await using lifeline = await Lifeline.open();
    const instanceId = randomUUID();
    const guard = new ProcessGuard(instanceId, nullLogger);
    guard.register(startGroup('ignore-sigterm', lifeline, `${instanceId}:1`));
    await lifeline.waitForAlive(1);
    const pid = await theGuardOf(instanceId);
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.kill(pid, signal);
    guard.close();
    await lifeline.waitForAllGone(GONE_MS);
    expect(lifeline.alive).toEqual([]);
  });

  it('leads a group of its own, and carries neither our environment nor the marker', async () => {
    await using lifeline = await Lifeline.open();
    const instanceId = randomUUID();
    const guard = new ProcessGuard(instanceId, nullLogger);
    guard.register(startGroup('ignore-eof', lifeline, `${instanceId}:1`));
    try {
      const pid = await theGuardOf(instanceId);
      expect(processGroup(pid).isAlive()).toBe(true);
      await expect(readFile(`/proc/${pid}/environ`, 'utf8')).resolves.toBe('PATH=/usr/bin:/bin\0');
    } finally {
      guard.close();
    }
    await lifeline.waitForAllGone(GONE_MS);
  });

  it('is missed when it dies, and nothing fails without it', async () => {
    await using lifeline = await Lifeline.open();
    const instanceId = randomUUID();
    const logger = new RecordingLogger();
    const guard = new ProcessGuard(instanceId, logger);
    const pid = startGroup('ignore-eof', lifeline, `${instanceId}:1`);
    guard.register(pid);
    process.kill(await theGuardOf(instanceId), 'SIGKILL');
    await vi.waitUntil(() => logger.records.length > 0, WAIT);
    expect(logger.messages('warn')).toContain('the process guard has ended (exit SIGKILL)');
    guard.register(pid);
    guard.unregister(pid);
    guard.close();
  });

  it('that was let go is not missed', async () => {
    await using lifeline = await Lifeline.open();
    const instanceId = randomUUID();
    const logger = new RecordingLogger();
    const guard = new ProcessGuard(instanceId, logger);
    guard.register(startGroup('echo', lifeline, `${instanceId}:1`));
    guard.close();
    await guardToGo(instanceId);
    expect(logger.records).toEqual([]);
  });

  it('is none where a host has none', async () => {
    const instanceId = randomUUID();
    const guard = new ProcessGuard(instanceId, nullLogger, 'none');
    guard.register(2 ** 30);
    expect(await guardsOf(instanceId)).toEqual([]);
    guard.unregister(2 ** 30);
    guard.close();
  });

  it('is a Node.js on Windows, where the guard gets no variable of mcpmux but SystemRoot', () => {
    const { command, env, cwd } = guardProgram('instance', 'win32');
    expect(command).toBe(process.execPath);
    expect(Object.keys(env)).toEqual(['SystemRoot', 'ELECTRON_RUN_AS_NODE', 'MCPMUX_GUARD_LISTS']);
    expect(cwd).toBe(process.env['SystemRoot'] ?? 'C:\\Windows');
  });
});
