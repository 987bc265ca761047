import process from 'node:process';

import { describe, expect, it } from 'vitest';

import { REMOVE_TIMINGS } from '../process/stop-ladder.js';
import { FixtureUpstream } from '../testing/fixture-upstream.js';

const GONE_MS = 5000;
const IS_WINDOWS = process.platform === 'win32';

describe('a server that ends by itself', () => {
  it.each<NodeJS.Signals>(['SIGKILL', 'SIGTERM'])(
    'because it was killed from outside is crashed, with the signal: %s',
    async (signal) => {
      await using held = await FixtureUpstream.start('hold-calls');
      const called = held.server.callTool('hold', { key: 'k' });
      process.kill(held.pid, signal);
      await expect(called).resolves.toEqual({
        failure: {
          kind: 'exited',
          exit: IS_WINDOWS ? { exitCode: 1, signal: null } : { exitCode: null, signal },
          stderrTail: [],
        },
      });
      expect(held.upstream.state).toMatchObject({ kind: 'crashed', generation: 1 });
      expect(held.upstream.connection).toBeUndefined();
    },
  );

  it('M5: during a call fails the call with its exit code and last words', async () => {
    await using crash = await FixtureUpstream.start('crash');
    await expect(crash.server.callTool('crash')).resolves.toEqual({
      failure: {
        kind: 'exited',
        exit: { exitCode: 1, signal: null },
        stderrTail: [expect.any(String)],
      },
    });
  });

  it('D1: fails every call in flight, each once', async () => {
    await using tree = await FixtureUpstream.start('tree');
    const calls = Array.from({ length: 50 }, () => tree.server.callTool('exit'));
    const outcomes = await Promise.all(calls);
    expect(outcomes).toEqual(
      outcomes.map(() => ({
        failure: { kind: 'exited', exit: { exitCode: 1, signal: null }, stderrTail: [] },
      })),
    );
    await tree.lifeline.waitForAllGone(GONE_MS);
  });

  it('M7, E8: is not started again', async () => {
    await using crash = await FixtureUpstream.start('crash');
    await crash.server.callTool('crash');
    await crash.server.untilState('crashed');
    expect(crash.server.states.map(({ kind }) => kind)).toEqual(['starting', 'running', 'crashed']);
    expect(crash.upstream.restartCount).toBe(0);
  });
});

describe('a server with a health check', () => {
  it('E8: is crashed when it leaves its pings unanswered, and its calls are told why', async () => {
    const health = { intervalMs: 50, timeoutMs: 500, failures: 2 };
    await using hung = await FixtureUpstream.start('faulty', {}, { health });
    await expect(hung.server.callTool('stop_reading')).resolves.toEqual({
      failure: { kind: 'unresponsive', pings: 2, stderrTail: [] },
    });
    expect(hung.upstream.state).toMatchObject({ kind: 'crashed', failure: { kind: 'unresponsive' } });
    await hung.lifeline.waitForAllGone(GONE_MS);
  });

  it('E8: runs on while it answers', async () => {
    const health = { intervalMs: 1, timeoutMs: 60_000, failures: 1 };
    await using echo = await FixtureUpstream.start('echo', {}, { health });
    await echo.server.callTool('slow_echo', { message: 'x', delay_ms: 200 });
    expect(echo.upstream.state.kind).toBe('running');
  });
});

// Node.js on Windows cannot close its end of these pipes before it ends.
describe.skipIf(IS_WINDOWS)('a server that can no longer be reached', () => {
  it('M10, C2: a broken stdin pipe marks the server crashed and ends its process', async () => {
    await using closer = await FixtureUpstream.start('stdin-closer');
    await closer.server.callTool('close_stdin');
    await closer.server.until(() => closer.server.stderr.includes('stdin is closed'));
    await expect(closer.server.callTool('close_stdin')).resolves.toEqual({
      failure: { kind: 'pipe-closed', pipe: 'stdin', stderrTail: ['stdin is closed'] },
    });
    expect(closer.upstream.state.kind).toBe('crashed');
    await closer.lifeline.waitForAllGone(GONE_MS);
  });

  it('C1: because it has closed its stdout is crashed, and its process is ended', async () => {
    await using closer = await FixtureUpstream.start('stdout-closer');
    await closer.server.callTool('close_stdout');
    await expect(closer.server.untilState('crashed')).resolves.toMatchObject({
      failure: { kind: 'pipe-closed', pipe: 'stdout' },
    });
    await closer.lifeline.waitForAllGone(GONE_MS);
  });
});

describe('a running server', () => {
  it('S11: is asked for its tools again when it says they have changed', async () => {
    await using changing = await FixtureUpstream.start('changing-tools');
    expect(changing.server.toolNames).toEqual(['add_tool']);
    await changing.server.callTool('add_tool', { name: 'new_tool' });
    await changing.server.until(() => changing.server.toolChanges.length > 0);
    expect(changing.server.toolNames).toEqual(['add_tool', 'new_tool']);
  });

  it('that is reloaded is another process of the same program', async () => {
    await using echo = await FixtureUpstream.start('hold-calls');
    const before = echo.pid;
    await echo.upstream.reload(0, REMOVE_TIMINGS);
    expect(echo.pid).not.toBe(before);
    await echo.lifeline.waitForGone(before, GONE_MS);
    await echo.lifeline.waitForAlive(1);
    expect(echo.lifeline.alive.map(({ pid }) => pid)).toEqual([echo.pid]);
    expect(echo.upstream.restartCount).toBe(1);
  });

  it('is ended with all its processes when mcpmux ends', async () => {
    await using tree = await FixtureUpstream.start('tree');
    await tree.lifeline.waitForAlive(3);
    await tree.upstream.shutDown();
    await tree.lifeline.waitForAllGone(GONE_MS);
    expect(tree.upstream.state).toEqual({ kind: 'removed' });
  });

  it('fault H5: has its stderr read, without what would harm a terminal', async () => {
    await using talker = await FixtureUpstream.start('stderr-talker');
    await talker.server.callTool('talk', { lines: 3 });
    await talker.server.until(() => talker.server.stderr.length === 3);
    expect(talker.server.stderr).toEqual([
      'line 1  bell\\u0007 nul\\u0000 back\\u0008 return\\u000dforged',
      'line 2',
      'line 3',
    ]);
  });

  it('gets its ping answered, and from its owner everything else', async () => {
    await using asking = await FixtureUpstream.start('server-requests');
    const outcome = await asking.server.callTool('ask');
    const text = 'line' in outcome ? outcome.line.replaceAll('\\"', '"') : '';
    expect(text).toContain('"method":"ping","result":{}');
    expect(text).toContain('nobody answers roots/list');
    expect(text).toContain('nobody answers x-vendor/unknown');
  });
});
