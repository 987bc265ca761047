import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '@mcpmux/kit';

import type { RunFailure } from '../../server/link/run-failure.js';
import { runningServer } from '../../testing/running-server.js';
import { StandInUpstream } from '../../testing/stand-in-upstream.js';
import { toolDirectory } from '../../testing/tool-directory.js';
import { serverStatus, type ServerStatus } from './server-status.js';

function statusOf(upstream: StandInUpstream, now = 0): ServerStatus {
  return serverStatus(upstream, toolDirectory([upstream]).snapshot(), now);
}

describe('the status of a server', () => {
  it('M4: that runs is its command, tools, process id and uptime', () => {
    const config = { command: 'npx', args: ['-y', 'x'], env: { TOKEN: 'secret' }, cwd: '/tmp' };
    const upstream = new StandInUpstream('a', { tools: ['get', 'put'], config });
    expect(statusOf(upstream, 12_345)).toEqual({
      name: 'a',
      command: 'npx',
      args: ['-y', 'x'],
      status: 'running',
      tools: ['a__get', 'a__put'],
      pid: 4711,
      uptime_seconds: 12.3,
      restarts: 0,
      dropped_lines: 0,
    });
  });

  it('M4: names the tools as they are called', () => {
    const upstream = new StandInUpstream('a', { tools: ['not plain'] });
    expect(statusOf(upstream).tools).toEqual([expect.stringMatching(/^a__not_plain_[0-9a-f]{8}$/)]);
  });

  it('M4: names only its own tools', () => {
    const [a, b] = ['a', 'b'].map((name) => new StandInUpstream(name, { tools: ['get'] }));
    const snapshot = toolDirectory([a, b].filter((upstream) => upstream !== undefined)).snapshot();
    expect(b && serverStatus(b, snapshot, 0).tools).toEqual(['b__get']);
  });

  it('M4: that starts has no process id, no uptime and no tools', () => {
    const upstream = new StandInUpstream('a', { tools: ['get'] }).nowStarting();
    expect(statusOf(upstream, 5000)).toEqual({
      name: 'a',
      command: 'x',
      args: [],
      status: 'starting',
      tools: [],
      restarts: 0,
      dropped_lines: 0,
    });
  });

  it('names the revision of the protocol while the server runs', () => {
    const upstream = new StandInUpstream('a').offers({});
    expect(statusOf(upstream)).toMatchObject({ protocol_version: '2025-11-25' });
    expect(statusOf(upstream.nowStarting())).not.toHaveProperty('protocol_version');
  });

  it('counts the restarts', () => {
    expect(statusOf(new StandInUpstream('a').nowRunning(4)).restarts).toBe(3);
  });

  it('C8: counts the notifications that were too many', () => {
    const { upstream, connection } = runningServer('a', []);
    expect(statusOf(upstream)).not.toHaveProperty('dropped_notifications');
    const log = Buffer.from('{"jsonrpc":"2.0","method":"notifications/message"}');
    for (let sent = 0; sent < DEFAULT_LIMITS.maxNotificationsPerSecond + 2; sent += 1) connection.line(log);
    expect(statusOf(upstream)).toMatchObject({ dropped_lines: 0, dropped_notifications: 2 });
  });

  it('counts the lines that were dropped, and passes warnings on', () => {
    const { upstream, connection } = runningServer('a', []);
    upstream.warnings = ['tools without a name were left out'];
    connection.line(Buffer.from('no message'));
    expect(connection.droppedLineCount).toBe(1);
    expect(statusOf(upstream).warnings).toEqual(['tools without a name were left out']);
  });
});

describe('the last error of a server that has crashed', () => {
  it.each<[RunFailure, ServerStatus['last_error']]>([
    [
      { kind: 'exited', exit: { exitCode: 0, signal: null }, stderrTail: [] },
      { message: 'Server "a" exited with code 0.', exit_code: 0 },
    ],
    [
      { kind: 'exited', exit: { exitCode: null, signal: 'SIGKILL' }, stderrTail: ['one', 'two'] },
      { message: 'Server "a" was killed by signal SIGKILL.', signal: 'SIGKILL', stderr_tail: ['one', 'two'] },
    ],
    [
      { kind: 'exited', exit: { exitCode: 1, signal: null }, stderrTail: [], stdoutLines: ['no key'] },
      { message: 'Server "a" exited with code 1.', exit_code: 1, stdout_lines: ['no key'] },
    ],
    [
      { kind: 'pipe-closed', pipe: 'stdin', stderrTail: ['bye'] },
      {
        message: 'Server "a" closed its stdin, so it can no longer be reached; it was stopped.',
        stderr_tail: ['bye'],
      },
    ],
    [
      { kind: 'start-timeout', phase: 'initialize', afterMs: 60_000, stderrTail: [] },
      { message: 'Server "a" did not answer initialize within 60 s and was stopped.' },
    ],
    [
      { kind: 'not-launched', problem: 'command "x" was not found.' },
      { message: 'Server "a" could not be started: command "x" was not found.' },
    ],
    [
      { kind: 'unreachable', problem: 'http://far/mcp needs a login', advice: 'Run: mcpmux login a' },
      {
        message: 'Server "a" cannot be reached: http://far/mcp needs a login.',
        advice: 'Run: mcpmux login a',
      },
    ],
  ])('says what happened: %j', (failure, lastError) => {
    const status = statusOf(new StandInUpstream('a', { tools: ['get'] }).nowCrashed(failure));
    expect(status).toMatchObject({ status: 'crashed', tools: [] });
    expect(status.last_error).toEqual(lastError);
    expect(status).not.toHaveProperty('pid');
    expect(status).not.toHaveProperty('uptime_seconds');
  });

  it('is not there while the server runs again', () => {
    expect(statusOf(new StandInUpstream('a').nowCrashed().nowRunning(2))).not.toHaveProperty('last_error');
  });
});
