import { describe, expect, it } from 'vitest';

import { DEFAULT_LIMITS } from '@mcpmux/kit';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { Supervisor } from '../../server/registry/supervisor.js';
import { runningServer } from '../../testing/running-server.js';
import { SessionRig } from '../../testing/session-rig.js';

const CALL = '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"gh__get"}}';

/** A session with a server that does not run, and is started once more for the next call. */
function givenUpServer() {
  const played = runningServer('gh', ['get']);
  const { upstream } = played;
  upstream.nowCrashed();
  const rig = new SessionRig([upstream], { ownTools: ['call_tool'] });
  const starts: (() => void)[] = [];
  let started: Promise<void> | undefined;
  const components = { clock: rig.clock, logger: rig.logger, limits: DEFAULT_LIMITS };
  const supervisor = new Supervisor(upstream, components, () => undefined);
  rig.registry.supervisors.set(upstream, supervisor);
  supervisor.wake = () => {
    started ??= new Promise((resolve) => starts.push(resolve));
    return started;
  };
  /** The start has ended; the server is in the state that the test has given it. */
  const end = async (): Promise<void> => {
    supervisor.wake = () => undefined;
    for (const resolve of starts) resolve();
    await nextTurn();
  };
  return { ...played, rig, end, starts };
}

describe('a call of a server that is started once more for it', () => {
  it.each([
    ['tools/call', '"name":"gh__get"'],
    ['tools/call', '"name":"call_tool","arguments":{"name":"gh__get"}'],
    ['prompts/get', '"name":"gh__ask"'],
    ['tasks/get', '"taskId":"mux1:gh:7"'],
  ])('E8: waits and is answered by the server: %s {%s}', async (method, params) => {
    const { rig, upstream, server, end } = givenUpServer();
    upstream.offers({ prompts: upstream.tools.map((tool) => ({ ...tool, key: 'ask' })) });
    await expect(
      rig.exchange(`{"jsonrpc":"2.0","id":5,"method":"${method}","params":{${params}}}`),
    ).resolves.toEqual([]);
    upstream.nowRunning(2);
    await end();
    expect(server.received).toHaveLength(1);
    server.answer(1, '{"content":[]}');
    await expect(rig.exchange()).resolves.toEqual(['{"jsonrpc":"2.0","id":5,"result":{"content":[]}}']);
  });

  it('E8: fails with the reason when the start has failed', async () => {
    const { rig, upstream, end } = givenUpServer();
    await rig.exchange(CALL);
    upstream.nowCrashed({ kind: 'not-launched', problem: 'command "x" was not found.' });
    await end();
    const [answer] = rig.client.lines;
    expect(answer).toContain('could not be started: command \\"x\\" was not found.');
    expect(answer).toContain('"isError":true');
  });

  it('E8: that was cancelled meanwhile is not made', async () => {
    const { rig, upstream, server, end } = givenUpServer();
    await rig.exchange(CALL);
    rig.cancel('5');
    await rig.exchange();
    upstream.nowRunning(2);
    await end();
    expect(server.received).toEqual([]);
    await expect(rig.exchange()).resolves.toEqual([]);
  });

  it('E8: that is cancelled after the start is cancelled at the server', async () => {
    const { rig, upstream, server, end } = givenUpServer();
    await rig.exchange(CALL);
    upstream.nowRunning(2);
    await end();
    rig.cancel('5');
    await rig.exchange();
    expect(server.received.at(-1)).toContain('"method":"notifications/cancelled","params":{"requestId":1}');
  });

  it('E8: is answered when the client ends its side before the start has ended', async () => {
    const { rig, server, end } = givenUpServer();
    await rig.exchange(CALL);
    void rig.session.finish(0);
    rig.clock.advance(0);
    const [answer] = await rig.exchange();
    expect(answer).toContain('mcpmux is shutting down');
    await end();
    expect(server.received).toEqual([]);
  });

  it('E8: is not made when the client has gone', async () => {
    const { rig, upstream, server, end } = givenUpServer();
    await rig.exchange(CALL);
    rig.session.close();
    upstream.nowRunning(2);
    await end();
    expect(server.received).toEqual([]);
  });
});
