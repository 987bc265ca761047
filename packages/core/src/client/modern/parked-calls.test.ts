import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '@mcpmux/kit';

import { modernLine } from '../../testing/modern-lines.js';
import { CALL, FORM, FORMS, Parked } from '../../testing/parked.js';
import { COLLECT_MS } from './request-questions.js';

describe('S17: a call that waits for its retry', () => {
  it('is cancelled, and its questions are answered, when nobody comes back in time', async () => {
    const parked = new Parked();
    const { requestState } = await parked.asked();
    parked.rig.clock.advance(DEFAULT_LIMITS.parkMs);
    await parked.client.exchange();
    expect(parked.server.received.slice(-2)).toEqual([
      '{"jsonrpc":"2.0","id":"s1","result":{"action":"cancel"}}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"the client has gone"}}',
    ]);
    expect(parked.rig.modern.parkedCount).toBe(0);
    await expect(parked.refused(requestState)).resolves.toMatch(
      /^-32602: Invalid or expired requestState: .*time/,
    );
  });

  it('keeps what the server answers meanwhile for the retry', async () => {
    const parked = new Parked();
    const { requestState } = await parked.asked();
    parked.client.take();
    await parked.server.report('notifications/message', '{"level":"error","data":1}');
    await parked.server.exchange('{"jsonrpc":"2.0","id":1,"result":{"content":[]}}');
    expect(parked.client.take()).toEqual([]);
    expect(parked.server.received.at(-1)).toBe('{"jsonrpc":"2.0","id":"s1","result":{"action":"cancel"}}');
    await parked.retry('"again"', requestState, {});
    expect(parked.client.take()).toEqual([
      '{"jsonrpc":"2.0","id":"again","result":{"resultType":"complete","content":[]}}',
    ]);
    expect(parked.rig.clock.timerCount).toBe(0);
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
    expect(parked.rig.modern.parkedCount).toBe(0);
  });

  it('gives its progress under the token of the retry, and drops that of the time between', async () => {
    const parked = new Parked();
    const line = modernLine('1', 'tools/call', CALL, { ...FORMS, meta: { progressToken: 'a' } });
    await parked.client.exchange(line);
    await parked.server.ask('5', 'elicitation/create', FORM);
    const { requestState } = await parked.collected();
    parked.client.take();
    await parked.server.report('notifications/progress', '{"progressToken":1,"progress":1}');
    expect(parked.client.take()).toEqual([]);
    const params = { ...CALL, inputResponses: { r1: { action: 'accept' } }, requestState };
    await parked.client.exchange(
      modernLine('2', 'tools/call', params, { ...FORMS, meta: { progressToken: 7 } }),
    );
    await parked.server.report('notifications/progress', '{"progressToken":1,"progress":2}');
    expect(parked.client.take()).toEqual([
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":2}}',
    ]);
  });

  it('ends with its client', async () => {
    const parked = new Parked();
    await parked.asked();
    await parked.client.leave();
    expect(parked.server.received.at(-1)).toContain('notifications/cancelled');
    expect(parked.rig.modern.parkedCount).toBe(0);
    expect(parked.rig.clock.timerCount).toBe(0);
  });

  it('D28: gives way to later ones of its client', async () => {
    const parked = new Parked();
    const { maxParkedPerClient } = DEFAULT_LIMITS;
    const states: string[] = [];
    for (let call = 1; call <= maxParkedPerClient + 1; call += 1)
      states.push((await parked.asked(String(call))).requestState);
    expect(parked.rig.modern.parkedCount).toBe(maxParkedPerClient);
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
