import { describe, expect, it } from 'vitest';

import { modernLine } from '../../testing/modern-lines.js';
import { CALL, FORM, FORMS, Parked } from '../../testing/parked.js';
import { SessionsRig } from '../../testing/sessions-rig.js';
import { COLLECT_MS } from './request-questions.js';

describe('S17: a question of a legacy server during a call', () => {
  it('is put into the answer of the call, and its answer goes back with the retry', async () => {
    const parked = new Parked();
    const asked = await parked.asked();
    expect(asked).toMatchObject({
      resultType: 'input_required',
      inputRequests: { r1: { method: 'elicitation/create', params: { message: '[x] Name?' } } },
    });
    expect(parked.client.lines.at(-1)).toContain('"n":12345678901234567890');
    const toServer = parked.server.received.length;
    await parked.retry('2', asked.requestState, { r1: { action: 'accept', content: { n: 1 } }, other: {} });
    expect(parked.server.received.slice(toServer)).toEqual([
      '{"jsonrpc":"2.0","id":"s1","result":{"action":"accept","content":{"n":1}}}',
    ]);
    parked.client.take();
    await parked.server.exchange('{"jsonrpc":"2.0","id":1,"result":{"content":[]}}');
    expect(parked.client.take()).toEqual([
      '{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[]}}',
    ]);
    expect(parked.rig.modern.parkedCount).toBe(0);
    expect(parked.rig.clock.timerCount).toBe(0);
  });

  it('is put together with others that come at once, without what that era does not have', async () => {
    const parked = new Parked();
    await parked.client.exchange(modernLine('1', 'tools/call', CALL, FORMS));
    await parked.server.ask(
      '5',
      'sampling/createMessage',
      '{"task":{"ttl":1},"messages":[],"maxTokens":9,"_meta":{"progressToken":3}}',
    );
    await parked.server.ask('6', 'roots/list');
    const { inputRequests } = await parked.collected();
    expect(inputRequests).toEqual({
      r1: {
        method: 'sampling/createMessage',
        params: { messages: [], maxTokens: 9, _meta: { 'dev.mcpmux/server': 'x' } },
      },
      r2: { method: 'roots/list', params: {} },
    });
  });

  it('is asked again while it is not answered, and not a third time when it was', async () => {
    const parked = new Parked();
    await parked.client.exchange(modernLine('1', 'tools/call', CALL, FORMS));
    await parked.server.ask('5', 'elicitation/create', FORM);
    await parked.server.ask('6', 'elicitation/create', FORM);
    const first = await parked.collected();
    await parked.retry('2', first.requestState, { r2: { action: 'decline' } });
    const second = await parked.collected();
    expect(Object.keys(second.inputRequests)).toEqual(['r1']);
    expect(second.requestState).not.toBe(first.requestState);
    expect(parked.last().id).toBe(2);
    await parked.retry('3', second.requestState, { r1: { action: 'cancel' } });
    expect(parked.server.received.slice(-2)).toEqual([
      '{"jsonrpc":"2.0","id":6,"result":{"action":"decline"}}',
      '{"jsonrpc":"2.0","id":5,"result":{"action":"cancel"}}',
    ]);
  });

  it('is refused by an error of its answer alone, which the server gets with its code and words', async () => {
    const parked = new Parked();
    const params = '{"messages":[],"maxTokens":9}';
    const { requestState } = await parked.asked('1', 'sampling/createMessage', params);
    const error = { code: -1, message: 'User rejected sampling request' };
    await parked.retry('2', requestState, { r1: { error } });
    expect(JSON.parse(parked.server.received.at(-1) ?? '')).toEqual({ jsonrpc: '2.0', id: 's1', error });
  });

  it.each([
    { error: { code: 1.5, message: 'x' } },
    { error: { code: -1 } },
    { error: { code: -1, message: 'x' }, action: 'accept' },
    { error: 'x' },
  ])('is answered, and not refused, by %j', async (result) => {
    const parked = new Parked();
    const { requestState } = await parked.asked();
    await parked.retry('2', requestState, { r1: result });
    expect(JSON.parse(parked.server.received.at(-1) ?? '')).toEqual({ jsonrpc: '2.0', id: 's1', result });
  });

  it('that comes while the client is away is asked in the answer of the retry', async () => {
    const parked = new Parked();
    const first = await parked.asked();
    await parked.server.ask('"late"', 'elicitation/create', FORM);
    parked.rig.clock.advance(COLLECT_MS);
    await parked.client.exchange();
    await parked.retry('2', first.requestState, { r1: { action: 'accept' } });
    const second = await parked.collected();
    expect(Object.keys(second.inputRequests)).toEqual(['r2']);
  });

  it('is not lost with the end of the call in whose answer the client has it, while another call of the client is open', async () => {
    const parked = new Parked();
    for (const id of ['1', '2']) await parked.client.exchange(modernLine(id, 'tools/call', CALL, FORMS));
    await parked.server.ask('"of-1"', 'elicitation/create', FORM);
    const { requestState } = await parked.collected();
    expect(parked.last().id).toBe(2);
    const toServer = parked.server.received.length;
    await parked.server.exchange('{"jsonrpc":"2.0","id":2,"result":{"content":[]}}');
    expect(parked.server.received.slice(toServer)).toEqual([]);
    await parked.retry('3', requestState, { r1: { action: 'accept' } });
    expect(parked.server.received.slice(toServer)).toEqual([
      '{"jsonrpc":"2.0","id":"of-1","result":{"action":"accept"}}',
    ]);
    expect(parked.last()).toMatchObject({ id: 3, result: { resultType: 'complete' } });
    expect(parked.rig.clock.timerCount).toBe(0);
  });

  it('that no answer has taken yet goes to another call of the client when its call ends', async () => {
    const parked = new Parked();
    for (const id of ['1', '2']) await parked.client.exchange(modernLine(id, 'tools/call', CALL, FORMS));
    await parked.server.ask('"of-1"', 'elicitation/create', FORM);
    const toServer = parked.server.received.length;
    await parked.server.exchange('{"jsonrpc":"2.0","id":2,"result":{"content":[]}}');
    expect(parked.last()).toMatchObject({ id: 2, result: { resultType: 'complete' } });
    const { requestState } = await parked.collected();
    expect(parked.last().id).toBe(1);
    await parked.retry('3', requestState, { r1: { action: 'accept' } });
    expect(parked.server.received.slice(toServer)).toEqual([
      '{"jsonrpc":"2.0","id":"of-1","result":{"action":"accept"}}',
    ]);
  });

  it('is refused where the client has not declared it; an error of the call then names what is missing', async () => {
    const rig = new SessionsRig();
    const server = rig.server('x', { tools: ['t'] });
    const client = rig.stranger();
    await client.exchange(modernLine('1', 'tools/call', CALL));
    const [refusal = ''] = await server.ask('5', 'elicitation/create', FORM);
    expect(JSON.parse(refusal)).toMatchObject({ id: 5, error: { code: -32601 } });
    await server.exchange('{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"cannot ask"}}');
    expect(JSON.parse(client.lines.at(-1) ?? '')).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: {
        code: -32021,
        message: 'cannot ask',
        data: { requiredCapabilities: { elicitation: { form: {} } } },
      },
    });
  });

  it('that the server withdraws is asked nobody', async () => {
    const parked = new Parked();
    await parked.client.exchange(modernLine('1', 'tools/call', CALL, FORMS));
    await parked.server.ask('5', 'elicitation/create', FORM);
    await parked.server.report('notifications/cancelled', '{"requestId":5}');
    parked.rig.clock.advance(COLLECT_MS);
    await parked.server.exchange('{"jsonrpc":"2.0","id":1,"result":{"content":[]}}');
    expect(parked.client.lines).toEqual([
      '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}',
    ]);
  });

  it('is never put to another client that calls the server, too', async () => {
    const parked = new Parked();
    const other = parked.rig.stranger();
    await parked.client.exchange(modernLine('1', 'tools/call', CALL, FORMS));
    await other.exchange(modernLine('1', 'tools/call', CALL, FORMS));
    const [refusal = ''] = await parked.server.ask('5', 'elicitation/create', FORM);
    expect(JSON.parse(refusal)).toMatchObject({ id: 5, error: { code: -32603 } });
  });

  it('of several calls of one client is put to the last that can be asked', async () => {
    const parked = new Parked();
    await parked.client.exchange(
      modernLine('1', 'tools/call', CALL, FORMS),
      modernLine('2', 'tools/call', CALL, FORMS),
      modernLine('3', 'tools/call', CALL),
    );
    await parked.server.ask('5', 'elicitation/create', FORM);
    await parked.collected();
    expect(parked.last().id).toBe(2);
  });
});
