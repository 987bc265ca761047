import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import process from 'node:process';

import { fixtureCommand, Lifeline, type FixtureName } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import { ABORT_TIMINGS } from '../process/stop-ladder.js';
import { FixtureUpstream } from '../testing/fixture-upstream.js';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { RecordedUpstream } from '../testing/recorded-upstream.js';
import { temporaryFolder } from '@mcpmux/testing/temporary-folder';
import { upstreamRig } from '../testing/upstream-rig.js';

const GONE_MS = 5000;
const IS_WINDOWS = process.platform === 'win32';

describe('a server that starts', () => {
  it('M7: performs the handshake, is discovered and runs', async () => {
    await using echo = await FixtureUpstream.start('echo');
    expect(echo.upstream.state).toMatchObject({ kind: 'running', generation: 1, pid: expect.any(Number) });
    expect(echo.server.toolNames).toEqual(['echo', 'slow_echo']);
    await expect(echo.server.callTool('echo', { message: 'Grüße' })).resolves.toMatchObject({
      line: expect.stringContaining('Grüße'),
    });
  });

  it('M1: runs with zero tools', async () => {
    await using none = await FixtureUpstream.start('no-tools');
    expect(none.upstream.state.kind).toBe('running');
    expect(none.server.toolNames).toEqual([]);
  });

  it('M1: is asked for all pages of its tools', async () => {
    await using paged = await FixtureUpstream.start('paged');
    expect(paged.server.toolNames).toEqual(['first', 'second', 'third']);
    expect(paged.upstream.warnings).toEqual([]);
  });

  it('D11: runs with what it has listed when its pages lead back', async () => {
    await using paged = await FixtureUpstream.start('paged-loop');
    expect(paged.server.toolNames).toEqual(['first', 'second', 'third']);
    expect(paged.upstream.warnings).toHaveLength(1);
  });

  it('D12: runs with what it has listed when its pages never end', async () => {
    await using paged = await FixtureUpstream.start('paged-forever', { limits: { maxListPages: 5 } });
    expect(paged.server.toolNames).toEqual(['tool_1', 'tool_2', 'tool_3', 'tool_4', 'tool_5']);
    expect(paged.upstream.warnings).toEqual(['tools/list did not end after 5 pages; the rest was not read']);
  });

  it('fault A4: may write garbage to its stdout: it is dropped, counted and no hindrance', async () => {
    await using garbage = await FixtureUpstream.start('garbage-stdout');
    // A banner and a coloured line; an empty line and a byte order mark are no garbage.
    expect(garbage.upstream.dropCounts.lines).toBe(2);
    await expect(garbage.server.callTool('echo', { message: 'heard' })).resolves.toMatchObject({
      line: expect.stringContaining('heard'),
    });
    expect(garbage.upstream.dropCounts.lines).toBe(3);
  });

  it('is told of its environment and working directory', async () => {
    await using folder = await temporaryFolder();
    await using lifeline = await Lifeline.open();
    using rig = upstreamRig({ environment: { ...process.env, FROM_MUX: 'mux', BOTH: 'mux' } });
    const env = { FROM_SERVER: 'server', BOTH: 'server', LIFELINE: lifeline.address };
    await using dump = new RecordedUpstream(
      { ...fixtureCommand('env-dump'), env, cwd: folder.path },
      rig.components,
    );
    await dump.upstream.start();
    const outcome = await dump.callTool('env');
    const text = 'line' in outcome ? outcome.line.replaceAll('\\"', '"') : '';
    for (const part of [
      '"FROM_MUX":"mux"',
      '"FROM_SERVER":"server"',
      '"BOTH":"server"',
      basename(folder.path),
    ]) {
      expect(text).toContain(part);
    }
    expect(text).toContain(`"MCPMUX_CHILD":"${rig.components.instanceId}:1"`);
  });

  it('is starting until it has answered', async () => {
    await using folder = await temporaryFolder();
    const gate = join(folder.path, 'gate');
    await using slow = await FixtureUpstream.prepare('slow-start', { environment: { START_GATE: gate } });
    const started = slow.upstream.start();
    await slow.lifeline.waitForAlive(1);
    expect(slow.upstream.state.kind).toBe('starting');
    await writeFile(gate, '');
    await started;
    expect(slow.upstream.state.kind).toBe('running');
  });
});

describe('a server that does not start', () => {
  it.each<[FixtureName, object]>([
    [
      'exit-on-start',
      {
        kind: 'exited',
        exit: { exitCode: 3, signal: null },
        stderrTail: ['reading the configuration', 'fatal: the configuration has no "token"'],
      },
    ],
    [
      'exit-in-handshake',
      { kind: 'exited', exit: { exitCode: 7, signal: null }, stderrTail: [expect.any(String)] },
    ],
    [
      'bad-initialize',
      {
        kind: 'bad-answer',
        phase: 'initialize',
        problem: expect.stringMatching(/^protocolVersion is missing/),
        stderrTail: [],
      },
    ],
  ])('fault A2, fault A5: is crashed, and says why: %s', async (fixture, failure) => {
    await using started = await FixtureUpstream.start(fixture);
    expect(started.upstream.state).toMatchObject({ kind: 'crashed', generation: 1, failure });
    expect(started.upstream.connection).toBeUndefined();
    await started.lifeline.waitForAllGone(GONE_MS);
  });

  it('fault A1: because it never answers is stopped when its time is over, with the last it said', async () => {
    const clock = new ManualClock();
    await using silent = await FixtureUpstream.prepare('never-initialize', { clock });
    const started = silent.upstream.start();
    await silent.server.until(() => silent.server.stderr.length > 0);
    clock.advance(59_999);
    expect(silent.upstream.state.kind).toBe('starting');
    clock.advance(1);
    await started;
    expect(silent.upstream.state).toMatchObject({
      kind: 'crashed',
      failure: {
        kind: 'start-timeout',
        phase: 'initialize',
        afterMs: 60_000,
        stderrTail: ['waiting for a licence key'],
      },
    });
    await silent.lifeline.waitForAllGone(GONE_MS);
  });

  it('in a short time of its own is stopped then', async () => {
    await using silent = await FixtureUpstream.start('never-initialize', { limits: { startTimeoutMs: 100 } });
    expect(silent.upstream.state).toMatchObject({
      kind: 'crashed',
      failure: { kind: 'start-timeout', afterMs: 100 },
    });
    await silent.lifeline.waitForAllGone(GONE_MS);
  });

  it.each([
    ['command', { command: 'no-such-program' }, /^command "no-such-program" was not found in PATH \(.*\)\. /],
    // On Windows a program has an ending, with which it is looked for.
    ['folder', { command: '/tmp' }, IS_WINDOWS ? /was not found/ : /is a directory\.$/],
    ['cwd', { command: 'node', cwd: '/no/such/folder' }, /^cwd "\/no\/such\/folder" does not exist\./],
  ])('because its %s is wrong is not launched', async (_, config, problem) => {
    using rig = upstreamRig();
    await using server = new RecordedUpstream(config, rig.components);
    await server.upstream.start();
    expect(server.upstream.state).toMatchObject({
      kind: 'crashed',
      failure: { kind: 'not-launched', problem: expect.stringMatching(problem) },
    });
  });

  it('E2: because it was removed meanwhile leaves nothing behind', async () => {
    await using folder = await temporaryFolder();
    await using slow = await FixtureUpstream.prepare('slow-start', {
      environment: { START_GATE: join(folder.path, 'gate') },
    });
    const started = slow.upstream.start();
    await slow.lifeline.waitForAlive(1);
    slow.upstream.markRemoved();
    await slow.upstream.endRun({ kind: 'removed' }, 60_000, ABORT_TIMINGS);
    await slow.lifeline.waitForAllGone(GONE_MS);
    await started;
    expect(slow.server.states.map(({ kind }) => kind)).toEqual(['starting', 'removed']);
  });
});
