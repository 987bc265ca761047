import { describe, expect, it } from 'vitest';

import { DEFAULT_LIMITS } from '../../base/limits.js';
import { modernLine } from '../../testing/modern-lines.js';
import { SessionsRig, type RigClient, type RigServer } from '../../testing/sessions-rig.js';
import { COLLECT_MS } from './request-questions.js';

const FORMS = { capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} } };
const FORM = '{"message":"Name?","requestedSchema":{"type":"object","n":12345678901234567890}}';
const CALL = { name: 'x__t', arguments: { a: 1, b: [2] } };

interface Asked {
  readonly resultType: string;
  readonly inputRequests: Readonly<Record<string, { readonly method: string; readonly params: object }>>;
  readonly requestState: string;
}

interface Answer {
  readonly id: unknown;
  readonly result?: Asked & Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

class Parked {
  readonly rig = new SessionsRig();
  readonly server: RigServer = this.rig.server('x', { tools: ['t', 'u'] });
  readonly client: RigClient = this.rig.stranger();

  /** Sends a call, and the question of its server. Gives the answer with the question. */
  async asked(id = '1', method = 'elicitation/create', params = FORM): Promise<Asked> {
    await this.client.exchange(modernLine(id, 'tools/call', CALL, FORMS));
    await this.server.ask(`"s${id}"`, method, params);
    return this.collected();
  }

  /** The answer with questions that comes once no more are waited for. */
  async collected(): Promise<Asked> {
    this.rig.clock.advance(COLLECT_MS);
    await this.client.exchange();
    const { result } = this.last();
    if (result === undefined) throw new Error(this.client.lines.at(-1));
    return result;
  }

  last(): Answer {
    return JSON.parse(this.client.lines.at(-1) ?? '{}') as Answer;
  }

  retry(
    id: string,
    requestState: string,
    inputResponses: object,
    params: object = CALL,
  ): Promise<readonly string[]> {
    return this.client.exchange(
      modernLine(id, 'tools/call', { ...params, inputResponses, requestState }, FORMS),
    );
  }

  /** Sends a retry that is refused, and gives the error. */
  async refused(state: string, params: object = CALL, client = this.client): Promise<string> {
    const retry = { ...params, inputResponses: {}, requestState: state };
    await client.exchange(modernLine('"bad"', 'tools/call', retry, FORMS));
    const { error } = JSON.parse(client.lines.at(-1) ?? '{}') as Answer;
    return `${error?.code}: ${error?.message}`;
  }
}

describe('a question of a legacy server during a call', () => {
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
    expect(parked.rig.stateless.parked).toBe(0);
    expect(parked.rig.clock.timers).toBe(0);
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
    await parked.server.tell('notifications/cancelled', '{"requestId":5}');
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

describe('a call that waits for its retry', () => {
  it('is cancelled, and its questions are answered, when nobody comes back in time', async () => {
    const parked = new Parked();
    const { requestState } = await parked.asked();
    parked.rig.clock.advance(DEFAULT_LIMITS.parkMs);
    await parked.client.exchange();
    expect(parked.server.received.slice(-2)).toEqual([
      '{"jsonrpc":"2.0","id":"s1","result":{"action":"cancel"}}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"the client has gone"}}',
    ]);
    expect(parked.rig.stateless.parked).toBe(0);
    await expect(parked.refused(requestState)).resolves.toMatch(
      /^-32602: Invalid or expired requestState: .*time/,
    );
  });

  it('keeps what the server answers meanwhile for the retry', async () => {
    const parked = new Parked();
    const { requestState } = await parked.asked();
    parked.client.take();
    await parked.server.tell('notifications/message', '{"level":"error","data":1}');
    await parked.server.exchange('{"jsonrpc":"2.0","id":1,"result":{"content":[]}}');
    expect(parked.client.take()).toEqual([]);
    expect(parked.server.received.at(-1)).toBe('{"jsonrpc":"2.0","id":"s1","result":{"action":"cancel"}}');
    await parked.retry('"again"', requestState, {});
    expect(parked.client.take()).toEqual([
      '{"jsonrpc":"2.0","id":"again","result":{"resultType":"complete","content":[]}}',
    ]);
    expect(parked.rig.clock.timers).toBe(0);
  });

  it('tells its retry that the server has gone meanwhile', async () => {
    const parked = new Parked();
    const { requestState } = await parked.asked();
    await parked.server.reload();
    await parked.retry('2', requestState, { r1: { action: 'accept' } });
    expect(parked.last()).toMatchObject({ id: 2, result: { isError: true, resultType: 'complete' } });
  });

  it('is cancelled by its retry', async () => {
    const parked = new Parked();
    const { requestState } = await parked.asked();
    await parked.retry('2', requestState, {});
    await parked.client.exchange(
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}',
    );
    expect(parked.server.received.slice(-2)).toEqual([
      '{"jsonrpc":"2.0","id":"s1","result":{"action":"cancel"}}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
    ]);
    parked.rig.clock.advance(COLLECT_MS);
    expect(parked.rig.stateless.parked).toBe(0);
  });

  it('gives its progress under the token of the retry, and drops that of the time between', async () => {
    const parked = new Parked();
    const line = modernLine('1', 'tools/call', CALL, { ...FORMS, meta: { progressToken: 'a' } });
    await parked.client.exchange(line);
    await parked.server.ask('5', 'elicitation/create', FORM);
    const { requestState } = await parked.collected();
    parked.client.take();
    await parked.server.tell('notifications/progress', '{"progressToken":1,"progress":1}');
    expect(parked.client.take()).toEqual([]);
    const params = { ...CALL, inputResponses: { r1: { action: 'accept' } }, requestState };
    await parked.client.exchange(
      modernLine('2', 'tools/call', params, { ...FORMS, meta: { progressToken: 7 } }),
    );
    await parked.server.tell('notifications/progress', '{"progressToken":1,"progress":2}');
    expect(parked.client.take()).toEqual([
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":2}}',
    ]);
  });

  it('ends with its client', async () => {
    const parked = new Parked();
    await parked.asked();
    await parked.client.leave();
    expect(parked.server.received.at(-1)).toContain('notifications/cancelled');
    expect(parked.rig.stateless.parked).toBe(0);
    expect(parked.rig.clock.timers).toBe(0);
  });

  it('gives way to later ones of its client', async () => {
    const parked = new Parked();
    const { maxParkedPerClient } = DEFAULT_LIMITS;
    const states: string[] = [];
    for (let call = 1; call <= maxParkedPerClient + 1; call += 1)
      states.push((await parked.asked(String(call))).requestState);
    expect(parked.rig.stateless.parked).toBe(maxParkedPerClient);
    await expect(parked.refused(states[0] ?? '')).resolves.toMatch(
      /^-32602: Invalid or expired requestState: .*time/,
    );
  });

  it('is not continued by a state that was used, is of other params, of another client, or changed', async () => {
    const parked = new Parked();
    const { requestState } = await parked.asked();
    await expect(parked.refused(requestState, { ...CALL, arguments: { a: 2 } })).resolves.toMatch(
      /^-32602: .*params/,
    );
    await expect(parked.refused(requestState, { ...CALL, name: 'x__u' })).resolves.toMatch(
      /^-32602: .*params/,
    );
    await expect(parked.refused(requestState, CALL, parked.rig.stranger())).resolves.toMatch(
      /^-32602: .*another client/,
    );
    await expect(parked.refused(`${requestState}A`)).resolves.toMatch(/^-32602: .*not made/);
    await expect(parked.refused('foreign')).resolves.toMatch(/^-32602: .*gives out none/);
    await parked.retry('2', requestState, { r1: { action: 'accept' } });
    await expect(parked.refused(requestState)).resolves.toMatch(/^-32602: .*used before/);
  });

  it('is continued by a retry that spells its arguments in another order', async () => {
    const parked = new Parked();
    const { requestState } = await parked.asked();
    await parked.retry(
      '2',
      requestState,
      { r1: { action: 'accept' } },
      { arguments: { b: [2], a: 1 }, name: 'x__t' },
    );
    expect(parked.server.received.at(-1)).toContain('"action":"accept"');
  });
});

describe('a call of call_tool', () => {
  const VIA = { name: 'call_tool', arguments: { name: 'x__t', arguments: { a: 1 } } };

  it('is asked and continued like the call that it stands for', async () => {
    const parked = new Parked();
    await parked.client.exchange(modernLine('1', 'tools/call', VIA, FORMS));
    await parked.server.ask('5', 'elicitation/create', FORM);
    const { requestState } = await parked.collected();
    await parked.retry('2', requestState, { r1: { action: 'accept' } }, VIA);
    expect(parked.server.received.at(-1)).toBe('{"jsonrpc":"2.0","id":5,"result":{"action":"accept"}}');
    await parked.server.exchange('{"jsonrpc":"2.0","id":1,"result":{"content":[]}}');
    expect(parked.last()).toMatchObject({ id: 2, result: { resultType: 'complete' } });
  });

  it('is continued by no state that mcpmux has not made', async () => {
    await expect(new Parked().refused('foreign', VIA)).resolves.toMatch(/^-32602: /);
  });
});
