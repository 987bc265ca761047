import { expect, it } from 'vitest';

import { MuxClient } from '../testing/mux-client.js';
import { MuxRig } from '../testing/mux-rig.js';
import { fixtureCommand } from '@mcpmux/test-servers';
import type { Mux } from './mux-api.js';

type Messages = NonNullable<ReturnType<Mux['messages']>>;

function watch(rig: MuxRig, client: MuxClient): Messages {
  const messages = rig.mux.messages(client.session.session);
  if (messages === undefined) throw new Error('the session is not connected');
  return messages;
}

/** The next messages beside notifications, so many: a list may change at any time. */
async function take(messages: Messages, count: number) {
  const taken = [];
  while (taken.length < count) {
    const { value } = await messages.next();
    if (value?.type === 'message' && value.kind !== 'notification') taken.push(value);
  }
  return taken;
}

it('whoever watches a session gets its messages in both directions, in their order', async () => {
  await using rig = await MuxRig.open();
  await rig.add('e', 'echo');
  const messages = watch(rig, rig.client);
  await rig.client.call('e__echo', { message: 'over there' });
  const [request, result] = await take(messages, 2);
  expect(request).toMatchObject({ from: 'client', kind: 'request', method: 'tools/call' });
  expect(request).toMatchObject({ text: expect.stringContaining('over there') as string });
  expect(result).toMatchObject({
    from: 'mcpmux',
    kind: 'result',
    id: request?.id,
  });
});

it('a session that is not watched any more is not read, and one that ends ends its messages', async () => {
  await using rig = await MuxRig.open();
  const client = await MuxClient.initialized(rig.mux);
  const left = watch(rig, client);
  await left.return?.();
  const messages = watch(rig, client);
  client.end();
  await client.session.closed;
  expect(await left.next()).toEqual({ done: true, value: undefined });
  for (;;) if ((await messages.next()).done === true) break;
  expect(rig.mux.messages(client.session.session)).toBeUndefined();
  expect(rig.mux.messages(4711)).toBeUndefined();
});

it('the secrets of servers, and of a server that is being added, are in no text', async () => {
  await using rig = await MuxRig.open();
  await rig.mux.addServer('e', { ...fixtureCommand('echo'), env: { PLACE: 'behind-the-moon' } });
  const messages = watch(rig, rig.client);
  const env = { PLAIN: 'not-known-yet', API_TOKEN: 'nor-this-one' };
  await rig.client.call('e__echo', { message: 'it is behind-the-moon', password: 'and-this' });
  await rig.client.call('add_server', { name: 'f', ...fixtureCommand('echo'), env });
  const texts = JSON.stringify(await take(messages, 4));
  expect(texts).toContain('e__echo');
  expect(texts).toContain('PLAIN');
  for (const secret of ['behind-the-moon', 'not-known-yet', 'nor-this-one', 'and-this'])
    expect(texts).not.toContain(secret);
});

it('of very many messages most are counted only', async () => {
  await using rig = await MuxRig.open();
  const messages = watch(rig, rig.client);
  for (let index = 0; index < 2000; index += 1)
    rig.client.send(`{"jsonrpc":"2.0","method":"notifications/x","params":{"at":${index}}}`);
  let [listed, missed] = [0, 0];
  while (listed + missed < 2000) {
    const { value } = await messages.next();
    if (value?.type === 'events:missed') missed += value.count;
    else listed += 1;
  }
  expect(missed).toBeGreaterThan(500);
});

it('a session that was silent is listed whole, with all its texts', async () => {
  await using rig = await MuxRig.open();
  const messages = watch(rig, rig.client);
  for (let index = 0; index < 40; index += 1) await rig.client.request('ping', {});
  const taken = await take(messages, 80);
  expect(taken.filter(({ text }) => text !== undefined)).toHaveLength(80);
});

it('a long request is told by its size, and a long answer by its beginning, without secrets', async () => {
  await using rig = await MuxRig.open();
  await rig.mux.addServer('e', { ...fixtureCommand('echo'), env: { PLACE: 'behind-the-moon' } });
  const messages = watch(rig, rig.client);
  const text = `it is behind-the-moon, ${'x'.repeat(100_000)}`;
  await rig.client.call('e__echo', { message: text });
  const [long, answer] = await take(messages, 2);
  expect(long).toMatchObject({ from: 'client', id: answer?.id });
  expect(long).not.toHaveProperty('text');
  expect(answer).toMatchObject({ from: 'mcpmux', kind: 'result' });
  const shown = answer?.text ?? '';
  expect(shown).toContain('it is [redacted], xxx');
  expect(shown.length).toBeLessThanOrEqual(16_384);
});
