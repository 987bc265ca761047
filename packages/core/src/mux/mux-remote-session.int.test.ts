import { RemoteServer } from '@mcpmux/test-servers/remote-server';
import { describe, expect, it, vi } from 'vitest';

import { MuxRig, textOf } from '../testing/mux-rig.js';
import { refused } from '../testing/refused.js';

/** On a machine with other things to do. */
const SOON = { timeout: 10_000, interval: 5 };

/** How often the server has been initialized. */
function sessions(server: RemoteServer): number {
  return server.of('notifications/initialized').length;
}

describe('fault I22: a server at a url that has forgotten the session', () => {
  it('gets a new one: initialized once, listed again, subscribed again; the call is not repeated', async () => {
    await using server = await RemoteServer.open();
    await using rig = await MuxRig.open();
    await rig.mux.addServer('far', { url: server.url });
    await rig.client.request('resources/subscribe', { uri: 'note://one' });
    expect(server.state.subscribed).toEqual(['note://one']);
    server.loseSessions();
    const { result } = await rig.client.call('far__echo', { message: 'once' });
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toContain('has lost its session');
    expect(textOf(result)).toContain('calls in flight were not repeated');
    await rig.reached('far', 'running');
    await vi.waitUntil(() => server.state.subscribed.length === 2, SOON);
    expect(server.state.subscribed).toEqual(['note://one', 'note://one']);
    expect(sessions(server)).toBe(2);
    expect(server.of('tools/list')).toHaveLength(2);
    expect(server.of('tools/call')).toHaveLength(1);
    const again = await rig.client.call('far__echo', { message: 'twice' });
    expect(textOf(again.result)).toBe('twice');
  });

  it('tells every call in flight, and keeps its tools listed meanwhile', async () => {
    await using server = await RemoteServer.open({ answersInJson: true });
    await using rig = await MuxRig.open();
    await rig.mux.addServer('far', { url: server.url });
    const waiting = rig.client.call('far__wait');
    await vi.waitUntil(() => server.of('tools/call').length === 1, SOON);
    server.intercept = ({ headers, rpc }, response) => {
      if (rpc === 'initialize' || headers['mcp-session-id'] === undefined) return false;
      server.intercept = () => false;
      server.loseSessions();
      return refused(response, 404, 'Session not found');
    };
    const [first, second] = await Promise.all([waiting, rig.client.call('far__echo', { message: 'x' })]);
    expect([first, second]).toMatchObject([{ result: { isError: true } }, { result: { isError: true } }]);
    await rig.reached('far', 'running');
    expect(rig.status('far').tools).toContain('far__echo');
    expect(rig.status('far').restarts).toBe(1);
  });

  it.each([
    [400, 'Bad Request: No valid session ID provided'],
    [404, 'Not Found'],
  ])('is understood when it says so with status %s and %j', async (status, message) => {
    await using server = await RemoteServer.open();
    await using rig = await MuxRig.open();
    await rig.mux.addServer('far', { url: server.url });
    server.intercept = ({ rpc }, response) => rpc === 'tools/call' && refused(response, status, message);
    const { result } = await rig.client.call('far__echo', { message: 'x' });
    expect(textOf(result)).toContain('has lost its session');
    await vi.waitUntil(() => sessions(server) === 2, SOON);
  });

  it('is crashed when it forgets the next one too, and reload brings it back', async () => {
    await using server = await RemoteServer.open();
    await using rig = await MuxRig.open();
    await rig.mux.addServer('far', { url: server.url });
    server.intercept = ({ rpc }, response) => rpc === 'tools/call' && refused(response, 404, 'Not Found');
    await rig.client.call('far__echo', { message: 'x' });
    await rig.reached('far', 'running');
    await vi.waitUntil(() => sessions(server) === 2, SOON);
    await rig.client.call('far__echo', { message: 'x' });
    await rig.reached('far', 'crashed');
    expect(rig.status('far').last_error?.message).toContain('has lost its session');
    server.intercept = () => false;
    await rig.client.manage('reload_server', { name: 'far' });
    expect(textOf((await rig.client.call('far__echo', { message: 'back' })).result)).toBe('back');
  });

  it('is crashed when the new session cannot be opened', async () => {
    await using server = await RemoteServer.open();
    await using rig = await MuxRig.open();
    await rig.mux.addServer('far', { url: server.url });
    server.intercept = ({ headers }, response) =>
      headers['mcp-session-id'] === undefined
        ? refused(response, 503, 'starting')
        : refused(response, 404, 'Session not found');
    await rig.client.call('far__echo', { message: 'x' });
    await rig.reached('far', 'crashed');
    expect(rig.status('far').last_error?.message).toContain('503 Service Unavailable (starting)');
  });
});

describe('the end of a session with a server at a url', () => {
  it('S13: is told to the server by removal and by reload', async () => {
    await using server = await RemoteServer.open();
    await using rig = await MuxRig.open();
    await rig.mux.addServer('far', { url: server.url });
    await rig.mux.reloadServer('far');
    expect(server.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
    expect(server.sessionCount).toBe(1);
    await rig.mux.removeServer('far');
    expect(server.sessionCount).toBe(0);
    await server.connections(0);
  });

  it('S13: waits for a server that does not answer only for a second, and leaves nothing open', async () => {
    await using server = await RemoteServer.open();
    await using rig = await MuxRig.open();
    await rig.mux.addServer('far', { url: server.url });
    void rig.client.call('far__wait');
    await vi.waitUntil(() => server.of('tools/call').length === 1, SOON);
    server.intercept = ({ method }) => method === 'DELETE';
    const before = performance.now();
    await rig.mux.close();
    expect(performance.now() - before).toBeLessThan(10_000);
    await server.connections(0);
  });
});
