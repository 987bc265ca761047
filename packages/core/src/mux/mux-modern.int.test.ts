import { fixtureCommand } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import { modernLine, type ModernInit } from '../testing/modern-lines.js';
import { MuxClient } from '../testing/mux-client.js';
import { textOf } from '../testing/mux-rig.js';
import { createMux } from './mux.js';
import type { RequestCaller } from './connect-options.js';
import type { Mux } from './mux-api.js';

interface Answer {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

const FORMS = { capabilities: { elicitation: { form: {} } } };
const QUESTION = { message: 'Name?', requestedSchema: { type: 'object', properties: {} } };
const ASK = { name: 'i__ask', arguments: { method: 'elicitation/create', params: QUESTION } };

let given = 0;

/** Sends a request of the modern era over a pipe, and resolves with its answer. */
async function request(
  client: MuxClient,
  method: string,
  params: object = {},
  init: ModernInit = {},
): Promise<Answer> {
  given += 1;
  client.send(modernLine(`"q${given}"`, method, params, init));
  return JSON.parse(await client.responseLine(`"q${given}"`)) as Answer;
}

/** Hands one request to a mux, and gives the lines that belong to it. */
async function handled(
  mux: Mux,
  method: string,
  params: object = {},
  init: ModernInit & RequestCaller = {},
): Promise<readonly Answer[]> {
  const lines: Answer[] = [];
  await mux.handle(Buffer.from(modernLine('1', method, params, init)), init, (line) => {
    lines.push(JSON.parse(Buffer.from(line).toString()) as Answer);
  });
  return lines;
}

function withAnswers(call: object, { result }: Answer, inputResponses: object): object {
  return { ...call, inputResponses, requestState: result?.['requestState'] };
}

describe('a client of 2026-07-28 over a pipe, with legacy servers', () => {
  it('adds a server with a tool of mcpmux, hears of it, and uses it', async () => {
    await using mux = createMux();
    const client = new MuxClient(mux);
    const notifications = { toolsListChanged: true };
    client.send(modernLine('"listen:0"', 'subscriptions/listen', { notifications }));
    await client.line((line) => line.includes('notifications/subscriptions/acknowledged'));
    const args = { name: 'e', ...fixtureCommand('echo') };
    const added = await request(client, 'tools/call', { name: 'add_server', arguments: args });
    expect(added.result).toMatchObject({ resultType: 'complete' });
    await client.line((line) => line.includes('notifications/tools/list_changed'));
    const { result } = await request(client, 'tools/list');
    expect(JSON.stringify(result)).toContain('"e__echo"');
    const called = await request(client, 'tools/call', { name: 'e__echo', arguments: { message: 'hi' } });
    expect(called.result).toMatchObject({ resultType: 'complete', content: [{ type: 'text', text: 'hi' }] });
    await mux.close();
    expect(JSON.parse(await client.responseLine('"listen:0"'))).toMatchObject({
      result: { resultType: 'complete', _meta: { 'io.modelcontextprotocol/subscriptionId': 'listen:0' } },
    });
  });

  it('D26: is answered when its session ends while a server is at work', async () => {
    await using mux = createMux();
    await mux.addServer('e', fixtureCommand('echo'));
    const client = new MuxClient(mux);
    const started = new Promise((resolve) => mux.on('call:start', resolve));
    const slow = request(client, 'tools/call', {
      name: 'e__slow_echo',
      arguments: { message: 'x', delay_ms: 50_000 },
    });
    await started;
    await client.session.close();
    expect(textOf((await slow).result)).toContain('shutting down');
  });

  it('finds the servers that come with the start, though its first request asks for them', async () => {
    await using mux = createMux();
    let configured = (): void => undefined;
    const heldUntil = new Promise<void>((resolve) => {
      configured = resolve;
    });
    const client = new MuxClient(mux, {}, heldUntil);
    const listed = request(client, 'tools/list');
    await mux.addServer('e', fixtureCommand('echo'));
    expect(client.lines).toEqual([]);
    configured();
    expect(JSON.stringify(await listed)).toContain('"e__echo"');
  });

  it('answers the question of a server in a further request', async () => {
    await using mux = createMux();
    await mux.addServer('i', fixtureCommand('interactive'));
    const client = new MuxClient(mux);
    const asked = await request(client, 'tools/call', ASK, FORMS);
    expect(asked.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { r1: { method: 'elicitation/create', params: { message: '[i] Name?' } } },
    });
    const retry = withAnswers(ASK, asked, { r1: { action: 'accept', content: { name: 'Ada' } } });
    const { result } = await request(client, 'tools/call', retry, FORMS);
    expect(result?.['resultType']).toBe('complete');
    expect(textOf(result)).toContain('"content":{"name":"Ada"}');
    const again = await request(client, 'tools/call', retry, FORMS);
    expect(again.error).toMatchObject({ code: -32602 });
  });

  it('gets progress, cancels, and reads resources and prompts', async () => {
    await using mux = createMux();
    await mux.addServer('p', fixtureCommand('progress'));
    const resources = fixtureCommand('resources-many');
    await mux.addServer('r', { ...resources, args: [...(resources.args ?? []), 'x:one'] });
    const prompts = fixtureCommand('prompts-many');
    await mux.addServer('m', { ...prompts, args: [...(prompts.args ?? []), 'hello'] });
    const client = new MuxClient(mux);
    const call = { name: 'p__count', arguments: { n: 2 } };
    await request(client, 'tools/call', call, { meta: { progressToken: 'mine' } });
    expect(client.notified('notifications/progress').map(({ progressToken }) => progressToken)).toEqual([
      'mine',
      'mine',
    ]);
    const read = await request(client, 'resources/read', { uri: 'x:one' });
    expect(read.result).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' });
    const prompt = await request(client, 'prompts/get', { name: 'm__hello' });
    expect(prompt.result).toMatchObject({ resultType: 'complete' });
    for (const method of ['prompts/list', 'resources/list', 'resources/templates/list']) {
      const { result } = await request(client, method);
      expect(result).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' });
    }
  });

  it('hears of a resource that it listens to', async () => {
    await using mux = createMux();
    const resources = fixtureCommand('resources-many');
    await mux.addServer('r', { ...resources, args: [...(resources.args ?? []), 'x:one'] });
    const client = new MuxClient(mux);
    const notifications = { resourceSubscriptions: ['x:one'] };
    client.send(modernLine('7', 'subscriptions/listen', { notifications }));
    const ack = await client.line((line) => line.includes('notifications/subscriptions/acknowledged'));
    expect(JSON.parse(ack)).toMatchObject({ params: { notifications } });
    await request(client, 'tools/call', { name: 'r__touch', arguments: { uri: 'x:one' } });
    const updated = await client.line((line) => line.includes('notifications/resources/updated'));
    expect(JSON.parse(updated)).toMatchObject({
      params: { uri: 'x:one', _meta: { 'io.modelcontextprotocol/subscriptionId': 7 } },
    });
  });
});

describe('a request of 2026-07-28 without a connection', () => {
  it('is answered, and its retry continues the call that waits', async () => {
    await using mux = createMux();
    await mux.addServer('i', fixtureCommand('interactive'));
    const [discovered] = await handled(mux, 'server/discover');
    expect(discovered?.result).toMatchObject({ supportedVersions: ['2026-07-28'] });
    const [asked] = await handled(mux, 'tools/call', ASK, FORMS);
    expect(asked?.result).toMatchObject({ resultType: 'input_required' });
    const retry = withAnswers(ASK, asked ?? {}, { r1: { action: 'decline' } });
    const [answer, ...others] = await handled(mux, 'tools/call', retry, FORMS);
    expect(textOf(answer?.result)).toContain('"action":"decline"');
    expect(others).toEqual([]);
  });

  it('is continued by no other principal', async () => {
    await using mux = createMux();
    await mux.addServer('i', fixtureCommand('interactive'));
    const ofAda = { principal: { id: 'ada', roles: [], rights: [] } };
    const ofBob = { principal: { id: 'bob', roles: [], rights: [] } };
    const [asked] = await handled(mux, 'tools/call', ASK, { ...FORMS, ...ofAda });
    const retry = withAnswers(ASK, asked ?? {}, { r1: { action: 'decline' } });
    const [refused] = await handled(mux, 'tools/call', retry, { ...FORMS, ...ofBob });
    expect(refused?.error).toMatchObject({
      code: -32602,
      data: { reason: 'it was given to another client' },
    });
    const [answer] = await handled(mux, 'tools/call', retry, { ...FORMS, ...ofAda });
    expect(textOf(answer?.result)).toContain('"action":"decline"');
  });

  it('listens until its caller has gone', async () => {
    await using mux = createMux();
    const left = new AbortController();
    const lines: Answer[] = [];
    const message = modernLine('1', 'subscriptions/listen', { notifications: { toolsListChanged: true } });
    const done = mux.handle(Buffer.from(message), { signal: left.signal }, (line) => {
      const one = JSON.parse(Buffer.from(line).toString()) as Answer;
      lines.push(one);
      if (one.method === 'notifications/tools/list_changed') left.abort();
    });
    await mux.addServer('e', fixtureCommand('echo'));
    await done;
    expect(lines.map(({ method }) => method)).toEqual([
      'notifications/subscriptions/acknowledged',
      'notifications/tools/list_changed',
    ]);
  });
});
