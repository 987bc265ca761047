import { describe, expect, it } from 'vitest';

import type { CallFailure } from '../../server/link/run-failure.js';
import { runningServer } from '../../testing/running-server.js';
import { SessionRig } from '../../testing/session-rig.js';
import { StandInUpstream } from '../../testing/stand-in-upstream.js';

const stderrTail = ['reading config', 'fatal: no token'];

/** The result that tells a model what happened. */
function toolError(text: string): object {
  return { jsonrpc: '2.0', id: 5, result: { content: [{ type: 'text', text }], isError: true } };
}

describe('a call in flight at a server whose run ends', () => {
  it.each<[CallFailure, string]>([
    [
      { kind: 'exited', exit: { exitCode: 1, signal: null }, stderrTail },
      'Server "gh" exited with code 1.\nIts stderr:\n  reading config\n  fatal: no token\n' +
        'server_logs with {"name": "gh"} shows more of them.\n' +
        'Call reload_server with {"name": "gh"} to start it again.',
    ],
    [
      { kind: 'exited', exit: { exitCode: null, signal: 'SIGKILL' }, stderrTail: [] },
      'Server "gh" was killed by signal SIGKILL.\nCall reload_server with {"name": "gh"} to start it again.',
    ],
    [
      { kind: 'pipe-closed', pipe: 'stdout', stderrTail: [] },
      'Server "gh" closed its stdout, so it can no longer be reached; it was stopped.\n' +
        'Call reload_server with {"name": "gh"} to start it again.',
    ],
    [{ kind: 'removed' }, 'Server "gh" was removed before it answered.\nCall add_server to bring it back.'],
    [
      { kind: 'reloaded' },
      'Server "gh" was reloaded before it answered; the call was not repeated.\nTry the call again.',
    ],
    [{ kind: 'shut-down' }, 'mcpmux is shutting down; server "gh" did not answer in time.'],
  ])('M5: is answered with a result that says so: %j', async (failure, text) => {
    const { upstream, connection } = runningServer('gh', ['get']);
    const rig = new SessionRig([upstream]);
    rig.call('5', 'gh__get');
    await rig.exchange();
    connection.failAll(failure);
    const [answer] = await rig.exchange();
    expect(JSON.parse(answer ?? '')).toEqual(toolError(text));
  });

  it('is answered once, and so is every other one', async () => {
    const { upstream, connection, server } = runningServer('gh', ['get']);
    const rig = new SessionRig([upstream]);
    for (const id of ['1', '"1"', '0']) rig.call(id, 'gh__get');
    await rig.exchange();
    connection.failAll({ kind: 'removed' });
    connection.failAll({ kind: 'shut-down' });
    server.answer(1, '0');
    const answers = await rig.exchange();
    expect(answers.map((line) => (JSON.parse(line) as { id: unknown }).id)).toEqual([1, '1', 0]);
  });
});

describe('a call that its server cannot answer this once', () => {
  it('is answered with an error when the response cannot be read', async () => {
    const { upstream, server } = runningServer('gh', ['get']);
    const rig = new SessionRig([upstream]);
    rig.call('5', 'gh__get');
    await rig.exchange();
    server.send('{"jsonrpc":"2.0","id":1}');
    const [answer] = await rig.exchange();
    expect(JSON.parse(answer ?? '')).toEqual({
      jsonrpc: '2.0',
      id: 5,
      error: {
        code: -32603,
        message:
          'Server "gh" answered, but its response cannot be read: it has neither a result nor an error.',
        data: { server: 'gh', reason: 'unreadable-response', stderrTail: [] },
      },
    });
  });

  it('is answered with an error at once when the server is busy', async () => {
    const { upstream } = runningServer('gh', ['get'], { maxPendingPerServer: 1 });
    const rig = new SessionRig([upstream]);
    rig.call('4', 'gh__get');
    await expect(
      rig.answerTo('{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"gh__get"}}'),
    ).resolves.toEqual({
      jsonrpc: '2.0',
      id: 5,
      error: {
        code: -32603,
        message: 'Server "gh" is busy: 1 calls are in flight.',
        data: { server: 'gh', reason: 'busy', stderrTail: [] },
      },
    });
    rig.cancel('5');
    await expect(rig.exchange()).resolves.toEqual([]);
  });
});

describe('a call of a server that does not run', () => {
  const call = '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"gh__get"}}';

  it.each<[string, (upstream: StandInUpstream) => StandInUpstream, string]>([
    [
      'has crashed',
      (upstream) => upstream.nowCrashed({ kind: 'exited', exit: { exitCode: 3, signal: null }, stderrTail }),
      'Server "gh" exited with code 3.\nIts stderr:\n  reading config\n  fatal: no token\n' +
        'server_logs with {"name": "gh"} shows more of them.\n' +
        'Call reload_server with {"name": "gh"} to start it again.',
    ],
    [
      'never started',
      (upstream) => upstream.nowCrashed({ kind: 'not-launched', problem: 'command "x" was not found.' }),
      'Server "gh" could not be started: command "x" was not found.\n' +
        'Remove the server and add it again with a corrected command, or fix the cause and call reload_server.',
    ],
    [
      'is starting',
      (upstream) => upstream.nowStarting(),
      'Server "gh" is still starting. Try the call again in a moment; list_servers shows its state.',
    ],
    [
      'is being reloaded',
      (upstream) => upstream.nowStarting(2),
      'Server "gh" is still starting. Try the call again in a moment; list_servers shows its state.',
    ],
    [
      'was removed in this moment',
      (upstream) => upstream.nowRemoved(),
      'Server "gh" was removed. Call add_server to bring it back.',
    ],
  ])('M7, D23: is answered at once with a result that says what to do: it %s', async (_, change, text) => {
    const upstream = change(new StandInUpstream('gh', { tools: ['get'] }));
    await expect(new SessionRig([upstream]).answerTo(call)).resolves.toEqual(toolError(text));
  });

  it('is an error when no server has that tool', async () => {
    const { upstream } = runningServer('gh', ['list']);
    await expect(new SessionRig([upstream]).answerTo(call)).resolves.toEqual({
      jsonrpc: '2.0',
      id: 5,
      error: { code: -32602, message: expect.stringContaining('Unknown tool "gh__get"') },
    });
  });
});
