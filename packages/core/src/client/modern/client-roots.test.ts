import { describe, expect, it } from 'vitest';

import { modernLine } from '../../testing/modern-lines.js';
import { SessionsRig, type RigClient } from '../../testing/sessions-rig.js';
import { ROOTS_WAIT_MS } from './client-roots.js';
import { COLLECT_MS } from './request-questions.js';

const ROOTS = { capabilities: { roots: { listChanged: true } } };
const CALL = { name: 'x__t' };
const RESULT = '{"roots":[{"uri":"file:///a"}]}';

function rigWithClient() {
  const rig = new SessionsRig();
  const server = rig.server('x', { tools: ['t'] });
  return { rig, server, client: rig.stranger() };
}

function stateIn(client: RigClient): string {
  const { result } = JSON.parse(client.lines.at(-1) ?? '{}') as { result?: { requestState?: string } };
  return result?.requestState ?? '';
}

function retry(id: string, requestState: string, key: string): string {
  const inputResponses = { [key]: JSON.parse(RESULT) as unknown };
  return modernLine(id, 'tools/call', { ...CALL, inputResponses, requestState }, ROOTS);
}

describe('a legacy server that asks for roots outside of any request', () => {
  it('waits, and is answered before the first call of a client that has roots', async () => {
    const { rig, server, client } = rigWithClient();
    await client.exchange(modernLine('1', 'tools/list', {}, ROOTS));
    await expect(server.ask('0', 'roots/list')).resolves.toEqual([]);
    await client.exchange(modernLine('2', 'tools/call', CALL, ROOTS));
    expect(JSON.parse(client.lines.at(-1) ?? '')).toMatchObject({
      id: 2,
      result: {
        resultType: 'input_required',
        inputRequests: { roots: { method: 'roots/list', params: {} } },
      },
    });
    expect(server.received).toEqual([]);
    await client.exchange(retry('3', stateIn(client), 'roots'));
    const [answer, call] = server.received;
    expect(answer).toBe(`{"jsonrpc":"2.0","id":0,"result":${RESULT}}`);
    expect(JSON.parse(call ?? '')).toEqual({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 't', _meta: {} },
    });
    await client.exchange(modernLine('4', 'tools/call', CALL, ROOTS));
    expect(server.received).toHaveLength(3);
    expect(rig.clock.timerCount).toBe(0);
  });

  it('is told of none when no client calls it in time, and of the change when one does', async () => {
    const { rig, server, client } = rigWithClient();
    await client.exchange(modernLine('1', 'tools/list', {}, ROOTS));
    await server.ask('0', 'roots/list');
    rig.clock.advance(ROOTS_WAIT_MS);
    await server.exchange();
    expect(server.received).toEqual(['{"jsonrpc":"2.0","id":0,"result":{"roots":[]}}']);
    await client.exchange(modernLine('2', 'tools/call', CALL, ROOTS));
    await client.exchange(retry('3', stateIn(client), 'roots'));
    expect(server.received[1]).toBe('{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}');
    await expect(server.ask('1', 'roots/list')).resolves.toEqual([
      `{"jsonrpc":"2.0","id":1,"result":${RESULT}}`,
    ]);
  });

  it('gets the roots that the client has told another server', async () => {
    const { rig, server, client } = rigWithClient();
    const other = rig.server('y', { tools: ['t'] });
    await client.exchange(modernLine('1', 'tools/call', CALL, ROOTS));
    await server.ask('7', 'roots/list');
    rig.clock.advance(COLLECT_MS);
    await client.exchange();
    await client.exchange(retry('2', stateIn(client), 'r1'));
    await expect(server.ask('8', 'roots/list')).resolves.toEqual([
      `{"jsonrpc":"2.0","id":8,"result":${RESULT}}`,
    ]);
    await other.ask('0', 'roots/list');
    await client.exchange(modernLine('3', 'tools/call', { name: 'y__t' }, ROOTS));
    expect(other.received[0]).toBe(`{"jsonrpc":"2.0","id":0,"result":${RESULT}}`);
  });

  it('is told of the change when its client says that its roots have changed', async () => {
    const { server, client } = rigWithClient();
    await client.exchange(modernLine('1', 'tools/list', {}, ROOTS));
    await server.ask('0', 'roots/list');
    await client.exchange(modernLine('2', 'tools/call', CALL, ROOTS));
    await client.exchange(retry('3', stateIn(client), 'roots'));
    await client.exchange('{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}');
    await client.exchange(modernLine('4', 'tools/call', CALL, ROOTS));
    const before = server.received.length;
    await client.exchange(retry('5', stateIn(client), 'roots'));
    expect(server.received[before]).toBe('{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}');
    expect(server.received.at(-1)).toContain('"method":"tools/call"');
  });

  it('is refused where no client has roots', async () => {
    const { server, client } = rigWithClient();
    await client.exchange(modernLine('1', 'tools/list'));
    const [refusal = ''] = await server.ask('0', 'roots/list');
    expect(JSON.parse(refusal)).toMatchObject({ id: 0, error: { code: -32603 } });
  });

  it('leaves nothing behind when it ends or withdraws', async () => {
    const { rig, server, client } = rigWithClient();
    await client.exchange(modernLine('1', 'tools/list', {}, ROOTS));
    await server.ask('0', 'roots/list');
    await server.ask('1', 'roots/list');
    await server.report('notifications/cancelled', '{"requestId":0}');
    await server.reload();
    expect(rig.clock.timerCount).toBe(0);
  });
});
