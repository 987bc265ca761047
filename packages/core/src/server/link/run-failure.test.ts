import { describe, expect, it } from 'vitest';

import {
  failureAdvice,
  explain,
  failureReport,
  stderrTailOf,
  summarize,
  withRefusals,
  type CallFailure,
  type RunFailure,
} from './run-failure.js';

const NO_STDERR: readonly string[] = [];
const STDERR = ['reading the configuration', 'fatal: the configuration has no "token"'];

describe('what a model reads of a failure', () => {
  it.each<[string, CallFailure, string]>([
    [
      'an exit with a code',
      { kind: 'exited', exit: { exitCode: 3, signal: null }, stderrTail: STDERR },
      'Server "github" exited with code 3.\n' +
        'Its stderr:\n' +
        '  reading the configuration\n' +
        '  fatal: the configuration has no "token"\n' +
        'server_logs with {"name": "github"} shows more of them.\n' +
        'Call reload_server with {"name": "github"} to start it again.',
    ],
    [
      'an exit with the reason on stdout',
      {
        kind: 'exited',
        exit: { exitCode: 1, signal: null },
        stderrTail: NO_STDERR,
        stdoutLines: ['Error: API_KEY is required'],
      },
      'Server "github" exited with code 1.\n' +
        'Lines of its stdout that are not MCP:\n' +
        '  Error: API_KEY is required\n' +
        'server_logs with {"name": "github"} shows more of them.\n' +
        'Call reload_server with {"name": "github"} to start it again.',
    ],
    [
      'an exit by a signal',
      { kind: 'exited', exit: { exitCode: null, signal: 'SIGKILL' }, stderrTail: NO_STDERR },
      'Server "github" was killed by signal SIGKILL.\n' +
        'Call reload_server with {"name": "github"} to start it again.',
    ],
    [
      'a closed stdin',
      { kind: 'pipe-closed', pipe: 'stdin', stderrTail: NO_STDERR },
      'Server "github" closed its stdin, so it can no longer be reached; it was stopped.\n' +
        'Call reload_server with {"name": "github"} to start it again.',
    ],
    [
      'a closed stdout',
      { kind: 'pipe-closed', pipe: 'stdout', stderrTail: ['going quiet'] },
      'Server "github" closed its stdout, so it can no longer be reached; it was stopped.\n' +
        'Its stderr:\n' +
        '  going quiet\n' +
        'server_logs with {"name": "github"} shows more of them.\n' +
        'Call reload_server with {"name": "github"} to start it again.',
    ],
    [
      'a stdin that nobody reads',
      {
        kind: 'pipe-closed',
        pipe: 'stdin',
        problem: 'it has read nothing for 30 s while 70000 bytes wait',
        stderrTail: NO_STDERR,
      },
      'Server "github" can no longer be reached over its stdin: ' +
        'it has read nothing for 30 s while 70000 bytes wait; it was stopped.\n' +
        'Call reload_server with {"name": "github"} to start it again.',
    ],
    [
      'calls of a tool that failed',
      { kind: 'unresponsive', pings: 2, tool: 'probe', stderrTail: [] },
      'Server "github" failed 2 health checks by its tool "probe" and was stopped.\n' +
        'Call reload_server with {"name": "github"} to start it again.',
    ],
    [
      'pings without an answer',
      { kind: 'unresponsive', pings: 3, stderrTail: ['lost the database'] },
      'Server "github" did not answer 3 pings and was stopped.\n' +
        'Its stderr:\n' +
        '  lost the database\n' +
        'server_logs with {"name": "github"} shows more of them.\n' +
        'Call reload_server with {"name": "github"} to start it again.',
    ],
    [
      'a handshake that took too long',
      {
        kind: 'start-timeout',
        phase: 'initialize',
        afterMs: 60_000,
        stderrTail: ['waiting for a licence key'],
      },
      'Server "github" did not answer initialize within 60 s and was stopped.\n' +
        'Its stderr:\n' +
        '  waiting for a licence key\n' +
        'server_logs with {"name": "github"} shows more of them.\n' +
        'Call reload_server with {"name": "github"} to start it again.',
    ],
    [
      'a first list that took too long',
      { kind: 'start-timeout', phase: 'tools/list', afterMs: 1500, stderrTail: NO_STDERR },
      'Server "github" did not answer tools/list within 1.5 s and was stopped.\n' +
        'Call reload_server with {"name": "github"} to start it again.',
    ],
    [
      'an unusable answer',
      {
        kind: 'bad-answer',
        phase: 'initialize',
        problem: 'protocolVersion is missing',
        stderrTail: NO_STDERR,
      },
      'Server "github" gave an unusable answer to initialize: protocolVersion is missing.\n' +
        'Call reload_server with {"name": "github"} to start it again.',
    ],
    [
      'a program that could not be started',
      { kind: 'not-launched', problem: 'command "gihtub" was not found. PATH searched: /usr/bin.' },
      'Server "github" could not be started: command "gihtub" was not found. PATH searched: /usr/bin.\n' +
        'Remove the server and add it again with a corrected command, or fix the cause and call reload_server.',
    ],
    [
      'a server that cannot be reached, in a sentence of its own',
      { kind: 'unreachable', problem: 'Node b is not there.', advice: 'Wait.' },
      'Server "github" cannot be reached: Node b is not there.\n' +
        'Wait. Call reload_server with {"name": "github"} to try again.',
    ],
    [
      'a removal',
      { kind: 'removed' },
      'Server "github" was removed before it answered.\nCall add_server to bring it back.',
    ],
    [
      'a move',
      { kind: 'moved' },
      'Server "github" was moved to another node before it answered; the call was not repeated.\n' +
        'The call may have had effects. Try it again if it can be repeated.',
    ],
    [
      'a reload',
      { kind: 'reloaded' },
      'Server "github" was reloaded before it answered; the call was not repeated.\nTry the call again.',
    ],
    [
      'the end of mcpmux',
      { kind: 'shut-down' },
      'mcpmux is shutting down; server "github" did not answer in time.',
    ],
    [
      'a server that is busy',
      { kind: 'busy', problem: '256 calls are in flight' },
      'Server "github" is busy: 256 calls are in flight.\nTry the call again.',
    ],
    [
      'a response that cannot be read',
      { kind: 'unreadable-response', problem: 'a number without digits at byte 17' },
      'Server "github" answered, but its response cannot be read: a number without digits at byte 17.',
    ],
  ])('says what happened to which server, why, and what to do: %s', (_, failure, text) => {
    expect(explain('github', failure)).toBe(text);
  });

  it('holds the name in the advice as JSON', () => {
    const failure: CallFailure = {
      kind: 'exited',
      exit: { exitCode: 0, signal: null },
      stderrTail: NO_STDERR,
    };
    expect(failureAdvice('say "hi"', failure)).toBe(
      'Call reload_server with {"name": "say \\"hi\\""} to start it again.',
    );
  });
});

describe('the parts of an explanation', () => {
  const failure: CallFailure = { kind: 'exited', exit: { exitCode: 1, signal: null }, stderrTail: STDERR };

  it('are a sentence', () => {
    expect(summarize('github', failure)).toBe('Server "github" exited with code 1.');
  });

  it('are a report with the lines of stderr', () => {
    expect(failureReport('github', failure)).toBe(
      'Server "github" exited with code 1.\n' +
        'Its stderr:\n' +
        '  reading the configuration\n' +
        '  fatal: the configuration has no "token"\n' +
        'server_logs with {"name": "github"} shows more of them.',
    );
  });

  it('are no lines of stderr for a failure that has nothing to do with a run', () => {
    expect(stderrTailOf(failure)).toEqual(STDERR);
    expect(stderrTailOf({ kind: 'busy', problem: 'too many' })).toEqual([]);
  });
});

describe('what a sandbox has refused', () => {
  const exited = { kind: 'exited', exit: { exitCode: 1, signal: null }, stderrTail: STDERR } as const;

  it('is the advice of a failure, in place of a reload', () => {
    const failure = withRefusals(exited, (stderr) => `refused: ${stderr.length}`);
    expect(failureAdvice('a', failure)).toBe('refused: 2');
  });

  it.each<[string, RunFailure, Parameters<typeof withRefusals>[1]]>([
    ['the stderr shows none', exited, () => undefined],
    ['there was no process', { kind: 'not-launched', problem: 'x' } as const, () => 'refused'],
  ])('changes nothing if %s', (_, failure, explainIt) => {
    expect(withRefusals(failure, explainIt)).toBe(failure);
  });
});
