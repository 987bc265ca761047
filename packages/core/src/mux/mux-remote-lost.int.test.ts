import type { ServerResponse } from 'node:http';

import { RemoteServer } from '@mcpmux/test-servers/remote-server';
import { describe, expect, it, vi } from 'vitest';

import { MuxRig, textOf } from '../testing/mux-rig.js';
import { refused } from '../testing/refused.js';

/** On a machine with other things to do. */
const SOON = { timeout: 10_000, interval: 5 };

/** Answers a request of a session that is lost. */
type Refusal = (response: ServerResponse, body: unknown) => true;

/** Every session of now is refused so, and each later one works. */
function lose(server: RemoteServer, refusal: Refusal): void {
  const lost = new Set(server.requests.map(({ headers }) => headers['mcp-session-id']));
  lost.delete(undefined);
  server.intercept = ({ headers, body }, response) =>
    lost.has(headers['mcp-session-id']) && refusal(response, body);
}

function sessions(server: RemoteServer): number {
  return server.of('notifications/initialized').length;
}

describe('F4: a session that a server has lost is opened again, whatever the refusal looks like', () => {
  it.each([
    [400, 'Bad Request: Server not initialized'],
    [401, 'Unauthorized: Session not found'],
    [403, 'Invalid session'],
    [409, 'session expired'],
    [422, 'Unexpected message, expect initialize request'],
    [500, 'unknown mcp-session-id'],
    [503, 'no such session'],
  ])('%d %s', async (status, message) => {
    await using server = await RemoteServer.open();
    await using rig = await MuxRig.open();
    await rig.mux.addServer('far', { url: server.url });
    lose(server, (response) => refused(response, status, message));
    const first = textOf((await rig.client.call('far__echo', { message: 'one' })).result);
    expect(first).toContain(message);
    expect(first).toContain('A new session is open');
    expect(first).not.toMatch(/Check the (?:url|headers)|valid credentials|Try again later/);
    const second = await rig.client.call('far__echo', { message: 'two' });
    expect(textOf(second.result)).toBe('two');
    expect(sessions(server)).toBe(2);
    expect(server.of('tools/call')).toHaveLength(2);
  });

  it.each([
    [400, 'No transport found for sessionId'],
    [410, 'Gone'],
  ])('%d %s', async (status, message) => {
    await using server = await RemoteServer.open();
    await using rig = await MuxRig.open();
    await rig.mux.addServer('far', { url: server.url });
    lose(server, (response) => refused(response, status, message));
    const first = textOf((await rig.client.call('far__echo', { message: 'one' })).result);
    expect(first).toContain('has lost its session');
    await rig.reached('far', 'running');
    expect(textOf((await rig.client.call('far__echo', { message: 'two' })).result)).toBe('two');
  });

  it.each([
    [-32_000, 'Bad Request: Server not initialized'],
    [-32_001, 'Session not found'],
    [-32_600, 'Invalid Request: session expired'],
  ])('an error %d of JSON-RPC with status 200: %s', async (code, message) => {
    await using server = await RemoteServer.open();
    await using rig = await MuxRig.open();
    await rig.mux.addServer('far', { url: server.url });
    lose(server, (response, body) => {
      const { id } = body as { readonly id: unknown };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));
      return true;
    });
    const first = await rig.client.call('far__echo', { message: 'one' });
    expect(first.error).toMatchObject({ code, message });
    await vi.waitUntil(() => rig.status('far').restarts === 1, SOON);
    expect(textOf((await rig.client.call('far__echo', { message: 'two' })).result)).toBe('two');
  });
});

describe('F4: a refusal that speaks of a session', () => {
  it('stands where a new session has changed nothing, and the server goes on running', async () => {
    await using server = await RemoteServer.open();
    await using rig = await MuxRig.open();
    await rig.mux.addServer('far', { url: server.url });
    server.intercept = ({ rpc }, response) =>
      rpc === 'tools/call' && refused(response, 503, 'no session store');
    const texts: string[] = [];
    for (let count = 0; count < 3; count += 1)
      texts.push(textOf((await rig.client.call('far__echo', { message: 'x' })).result));
    expect(texts.every((text) => text.includes('no session store'))).toBe(true);
    expect(texts[2]).toContain('at most one new session in a minute');
    expect(rig.status('far').status).toBe('running');
    expect(sessions(server)).toBe(2);
  });

  it('ends no session where no new one can be opened', async () => {
    await using server = await RemoteServer.open();
    await using rig = await MuxRig.open();
    await rig.mux.addServer('far', { url: server.url });
    server.intercept = (_, response) => refused(response, 503, 'the session store restarts');
    const first = textOf((await rig.client.call('far__echo', { message: 'x' })).result);
    expect(first).toContain('the session store restarts');
    server.intercept = () => false;
    expect(textOf((await rig.client.call('far__echo', { message: 'back' })).result)).toBe('back');
    expect(rig.status('far').status).toBe('running');
  });

  it('does not end the calls in flight', async () => {
    await using server = await RemoteServer.open({ answersInJson: true });
    await using rig = await MuxRig.open();
    await rig.mux.addServer('far', { url: server.url });
    const waiting = rig.client.call('far__wait');
    await vi.waitUntil(() => server.of('tools/call').length === 1, SOON);
    lose(server, (response) => refused(response, 503, 'no such session'));
    await rig.client.call('far__echo', { message: 'x' });
    await expect(
      Promise.race([waiting, rig.client.call('far__echo', { message: 'y' })]),
    ).resolves.toMatchObject({
      result: { content: [{ text: 'y' }] },
    });
  });
});
