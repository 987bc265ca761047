import { describe, expect, it } from 'vitest';

import { MuxClient } from '../testing/mux-client.js';
import { MuxRig, textOf } from '../testing/mux-rig.js';

const CAPABILITIES = { sampling: {}, elicitation: { form: {}, url: {} }, roots: { listChanged: true } };
const FORM = { mode: 'form', message: 'Well?', requestedSchema: { type: 'object', properties: {} } };
const FOLDER = 'memo:///folder';
const FILE = `${FOLDER}/file`;

/** Two clients of one mux that can do everything; that of the rig keeps out of it. */
async function clientsOf(rig: MuxRig): Promise<readonly [MuxClient, MuxClient]> {
  const first = await MuxClient.initialized(rig.mux, CAPABILITIES);
  return [first, await MuxClient.initialized(rig.mux, CAPABILITIES)];
}

async function text(client: MuxClient, tool: string, args: object = {}): Promise<string> {
  return textOf((await client.call(tool, args)).result);
}

function isResponse(message: Readonly<Record<string, unknown>>): boolean {
  return message['method'] === undefined;
}

describe('subscriptions', () => {
  it('S1: a server sees one of several clients, and loses it with the last of them', async () => {
    await using rig = await MuxRig.open();
    const [a, b] = await clientsOf(rig);
    await rig.add('r', 'resources-many');
    for (const client of [a, b]) await client.request('resources/subscribe', { uri: FOLDER });
    await a.call('r__touch', { uri: FILE });
    await a.request('resources/unsubscribe', { uri: FOLDER });
    await expect(text(b, 'r__touch', { uri: FILE })).resolves.toBe('updated');
    expect(a.notified('notifications/resources/updated')).toEqual([{ uri: FILE }]);
    expect(b.notified('notifications/resources/updated')).toEqual([{ uri: FILE }, { uri: FILE }]);
    await b.request('resources/unsubscribe', { uri: FOLDER });
    await expect(text(b, 'r__subscriptions')).resolves.toBe('[]');
  });

  it('S1: that of a client that leaves is given up', async () => {
    await using rig = await MuxRig.open();
    const [a, b] = await clientsOf(rig);
    await rig.add('r', 'resources-many');
    await a.request('resources/subscribe', { uri: FOLDER });
    a.end();
    await a.session.closed;
    await expect(text(b, 'r__subscriptions')).resolves.toBe('[]');
  });

  it('S1: a reloaded server is told of it, and its holder that something may have been missed', async () => {
    await using rig = await MuxRig.open();
    const [a, b] = await clientsOf(rig);
    await rig.add('r', 'resources-many');
    await a.request('resources/subscribe', { uri: FOLDER });
    await rig.mux.reloadServer('r');
    await a.line((line) => line.includes('resources/updated'));
    await expect(text(b, 'r__subscriptions')).resolves.toBe(`["${FOLDER}"]`);
    expect(b.notified('notifications/resources/updated')).toEqual([]);
  });
});

describe('log levels', () => {
  it('S4: each client gets what it wants, and the server learns the lowest, also after a reload', async () => {
    await using rig = await MuxRig.open();
    const [a, b] = await clientsOf(rig);
    await rig.add('l', 'logging');
    await a.request('logging/setLevel', { level: 'alert' });
    await b.request('logging/setLevel', { level: 'error' });
    await b.call('l__log_all');
    const levels = (client: MuxClient): readonly unknown[] =>
      client.notified('notifications/message').map(({ level }) => level);
    expect(levels(a)).toEqual(['alert', 'emergency']);
    expect(levels(b)).toEqual(['error', 'critical', 'alert', 'emergency']);
    await rig.mux.reloadServer('l');
    await b.call('l__log_all');
    expect(levels(a)).toHaveLength(4);
    expect(levels(b)).toHaveLength(8);
  });
});

describe('requests of a server', () => {
  it('S5, D10: go to the client whose call made the server ask, and to no other', async () => {
    await using rig = await MuxRig.open();
    const [a, b] = await clientsOf(rig);
    await rig.add('i', 'interactive');
    const asking = b.call('i__ask', { method: 'elicitation/create', params: FORM });
    const { id } = await b.asked('elicitation/create');
    b.answer(id, { action: 'decline' });
    expect(textOf((await asking).result)).toContain('"result":{"action":"decline"}');
    expect(a.count('elicitation/create')).toBe(0);
  });

  it('S5, D10: are refused when several clients are there and none has a call under way', async () => {
    await using rig = await MuxRig.open();
    const [a, b] = await clientsOf(rig);
    await rig.add('i', 'interactive');
    await a.call('i__ask_later', { method: 'elicitation/create', params: FORM });
    await b.line((line) => line.includes('interactive/answered'));
    await expect(text(b, 'i__answers')).resolves.toContain('"code":-32603');
    expect([a, b].map((client) => client.count('elicitation/create'))).toEqual([0, 0]);
  });

  it('S7: a client that leaves has cancelled its forms, and has failed all else that it was asked', async () => {
    await using rig = await MuxRig.open();
    const [a, b] = await clientsOf(rig);
    await rig.add('log', 'requests-log');
    for (const [id, method, params] of [
      ['form', 'elicitation/create', FORM],
      [0, 'sampling/createMessage', { messages: [], maxTokens: 1 }],
    ] as const) {
      await a.call('log__emit', { line: JSON.stringify({ jsonrpc: '2.0', id, method, params }) });
      await a.asked(method);
    }
    a.end();
    await a.session.closed;
    const { result } = await b.call('log__received');
    const blocks = (result?.['content'] ?? []) as readonly { readonly text: string }[];
    const answers = blocks
      .map((block) => JSON.parse(block.text) as Record<string, unknown>)
      .filter(isResponse);
    expect(answers).toMatchObject([
      { id: 'form', result: { action: 'cancel' } },
      { id: 0, error: { code: -32603 } },
    ]);
  });

  it("S6: every client's roots are its own", async () => {
    await using rig = await MuxRig.open();
    const clients = await clientsOf(rig);
    await rig.add('i', 'interactive');
    for (const [index, client] of clients.entries()) {
      const asking = client.call('i__ask', { method: 'roots/list' });
      const { id } = await client.asked('roots/list');
      client.answer(id, { roots: [{ uri: `file:///${index}` }] });
      expect(textOf((await asking).result)).toContain(`file:///${index}`);
    }
    for (const [index, client] of clients.entries()) {
      await expect(text(client, 'i__ask', { method: 'roots/list' })).resolves.toContain(`file:///${index}`);
      expect(client.count('roots/list')).toBe(1);
    }
  });
});

describe('notifications of a server', () => {
  it('S7, D10: the end of an elicitation is told to the client that was asked, though another server has the same id', async () => {
    await using rig = await MuxRig.open();
    const [a, b] = await clientsOf(rig);
    await Promise.all([rig.add('x', 'interactive'), rig.add('y', 'interactive')]);
    const params = { mode: 'url', message: 'Open', url: 'https://example.org/', elicitationId: 'same' };
    for (const [client, server] of [
      [a, 'x'],
      [b, 'y'],
    ] as const) {
      const asking = client.call(`${server}__ask`, { method: 'elicitation/create', params });
      const { id } = await client.asked('elicitation/create');
      client.answer(id, { action: 'accept' });
      await asking;
    }
    const complete = { method: 'notifications/elicitation/complete', params: { elicitationId: 'same' } };
    await b.call('x__notify', complete);
    await a.line((line) => line.includes(complete.method));
    expect(b.count(complete.method)).toBe(0);
  });

  it('S8: the state of a task is told to the client that made it, from its first state on', async () => {
    await using rig = await MuxRig.open();
    const [a, b] = await clientsOf(rig);
    await rig.add('t', 'tasks');
    await a.request('tools/call', { name: 't__work', arguments: {}, task: { ttl: 1000 } });
    await b.call('t__finish', { taskId: 'task-1' });
    await a.line((line) => line.includes('"completed"'));
    const reported = a.notified('notifications/tasks/status');
    expect(reported.map(({ taskId, status }) => [taskId, status])).toEqual([
      ['mux1:t:task-1', 'working'],
      ['mux1:t:task-1', 'completed'],
    ]);
    expect(b.count('notifications/tasks/status')).toBe(0);
  });
});
