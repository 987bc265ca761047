import { fixtureCommand, type FixtureName } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import { modernLine, type ModernInit } from '../testing/modern-lines.js';
import { MuxClient } from '../testing/mux-client.js';
import { textOf } from '../testing/mux-rig.js';
import { createMux } from './mux.js';

interface Answer {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A client of the modern era in front of a fixture. */
class Pair implements AsyncDisposable {
  private given = 0;
  private readonly mux = createMux();
  readonly client = new MuxClient(this.mux);

  static async of(fixture: FixtureName, denyRequests?: readonly 'sampling'[]): Promise<Pair> {
    const pair = new Pair();
    // The first request tells which era servers are spoken to in.
    await pair.request('tools/list');
    await pair.mux.addServer('m', { ...fixtureCommand(fixture), ...(denyRequests && { denyRequests }) });
    return pair;
  }

  /** The line that answers a request. */
  async line(method: string, params: object = {}, init: ModernInit = {}): Promise<string> {
    this.given += 1;
    this.client.send(modernLine(`"q${this.given}"`, method, params, init));
    return this.client.responseLine(`"q${this.given}"`);
  }

  async request(method: string, params: object = {}, init: ModernInit = {}): Promise<Answer> {
    return JSON.parse(await this.line(method, params, init)) as Answer;
  }

  call(tool: string, args: object = {}, init: ModernInit = {}): Promise<Answer> {
    return this.request('tools/call', { name: `m__${tool}`, arguments: args }, init);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.mux.close();
  }
}

const INPUT = {
  capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } },
};

describe('a client of 2026-07-28 in front of a server of 2026-07-28', () => {
  it('speaks to one that has both eras in the modern one', async () => {
    await using pair = await Pair.of('dual-era');
    const { result } = await pair.call('era');
    expect(textOf(result)).toBe('modern');
  });

  it('gets the bytes of the server, cache hints and all', async () => {
    await using pair = await Pair.of('modern');
    const line = await pair.line('resources/read', { uri: 'memo:///one' });
    expect(line).toBe(
      '{"jsonrpc":"2.0","id":"q2","result":{"contents":[{"uri":"memo:///one","text":"the text of memo:///one"}],' +
        '"resultType":"complete","ttlMs":60000,"cacheScope":"public"}}',
    );
    const { result } = await pair.call('array');
    expect(result).toEqual({ content: [], structuredContent: [1, 2], resultType: 'complete' });
    const list = await pair.request('tools/list');
    const tools = list.result?.['tools'] as { name: string; outputSchema?: object }[];
    expect(tools.find(({ name }) => name === 'm__array')?.outputSchema).toMatchObject({ type: 'array' });
  });

  it('is described as what it is, by mcpmux', async () => {
    await using pair = await Pair.of('modern', ['sampling']);
    const meta = { 'x/y': 1, 'io.modelcontextprotocol/logLevel': 'info' };
    const extensions = { 'io.modelcontextprotocol/tasks': {}, 'io.modelcontextprotocol/ui': {} };
    const capabilities = { ...INPUT.capabilities, extensions };
    await pair.call('log', { level: 'info', data: 1 }, { capabilities, meta });
    const { result } = await pair.call('heard');
    const { content } = result as { content: { text: string }[] };
    const heard = content.map(
      ({ text }) => JSON.parse(text) as { params?: { name?: string; _meta: unknown } },
    );
    const { _meta: described } = heard.find(({ params }) => params?.name === 'log')?.params ?? {};
    expect(described).toEqual({
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'mcpmux', version: '0.0.0' },
      'io.modelcontextprotocol/clientCapabilities': {
        elicitation: { form: {}, url: {} },
        roots: {},
        extensions,
      },
      ...meta,
    });
    expect(pair.client.notified('notifications/message')).toMatchObject([{ logger: 'm/main', data: 1 }]);
  });

  it('gets what a sloppy server forgets', async () => {
    await using pair = await Pair.of('modern-sloppy');
    await expect(pair.call('plain')).resolves.toMatchObject({ result: { resultType: 'complete' } });
    const read = await pair.request('resources/read', { uri: 'memo:///x' });
    expect(read.result).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' });
    const list = await pair.request('resources/list');
    expect(list.result).toMatchObject({ resultType: 'complete', ttlMs: expect.any(Number) });
    expect(list.result?.['ttlMs']).toBeGreaterThanOrEqual(0);
  });

  it('is asked in the result, under the name of the server, and its answer goes back with the state', async () => {
    await using pair = await Pair.of('modern-asking');
    const asked = await pair.call('all', {}, INPUT);
    expect(asked.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: {
        a: { method: 'elicitation/create', params: { message: '[m] Your name?' } },
        b: { params: { _meta: { 'dev.mcpmux/server': 'm' }, maxTokens: 7 } },
        c: { method: 'roots/list' },
      },
      requestState: 'st\u00e4te/1 "quoted" \\ end',
    });
    const { requestState } = asked.result ?? {};
    const inputResponses = { a: { action: 'decline' }, b: { model: 'm' }, c: { roots: [] } };
    const params = { name: 'm__all', inputResponses, requestState };
    const { result } = await pair.request('tools/call', params, INPUT);
    expect(JSON.parse(textOf(result))).toEqual({ inputResponses, isSame: true });
  });

  it('refuses a question: the server is not called again, since no retry could say so', async () => {
    await using pair = await Pair.of('modern-asking');
    const asked = await pair.call('sample', {}, INPUT);
    const error = { code: -1, message: 'User rejected sampling request' };
    const params = {
      name: 'm__sample',
      inputResponses: { model: { error } },
      requestState: asked.result?.['requestState'],
    };
    const refused = await pair.request('tools/call', params, INPUT);
    expect(refused.error).toEqual({
      code: -32_603,
      message: 'Server "m" needs input for this, and the user has refused.',
    });
    const form = await pair.call('form', {}, INPUT);
    expect(form.result).toMatchObject({ resultType: 'input_required' });
  });

  it('is not asked for what it has not declared', async () => {
    await using pair = await Pair.of('modern-asking');
    const { error } = await pair.call('form');
    expect(error).toMatchObject({ code: -32_603, message: expect.stringContaining('elicitation') });
  });

  it('gets the errors of the era', async () => {
    await using pair = await Pair.of('modern');
    const { error } = await pair.call('lacks');
    expect(error).toEqual({
      code: -32_021,
      message: 'needs input',
      data: { requiredCapabilities: { sampling: {} } },
    });
  });

  it('hears of changes it listens to, each once, under its own subscription', async () => {
    await using pair = await Pair.of('modern');
    const notifications = { toolsListChanged: true, resourceSubscriptions: ['memo:///one'] };
    pair.client.send(modernLine('"listen:0"', 'subscriptions/listen', { notifications }));
    const acknowledged = await pair.client.line((line) => line.includes('subscriptions/acknowledged'));
    expect(acknowledged).toContain('memo:///one');
    await pair.call('touch', { uri: 'memo:///one' });
    await pair.client.line((line) => line.includes('resources/updated'));
    await pair.call('add_tool', { name: 'late' });
    await pair.client.listChanged(1);
    const own = { _meta: { 'io.modelcontextprotocol/subscriptionId': 'listen:0' } };
    expect(pair.client.notified('notifications/resources/updated')).toEqual([{ uri: 'memo:///one', ...own }]);
    expect(pair.client.notified('notifications/tools/list_changed')).toEqual([own]);
  });

  it('gets progress under its token', async () => {
    await using pair = await Pair.of('modern');
    await pair.call('count', { n: 2 }, { meta: { progressToken: 'p' } });
    expect(pair.client.notified('notifications/progress')).toEqual([
      { progressToken: 'p', progress: 1, total: 2 },
      { progressToken: 'p', progress: 2, total: 2 },
    ]);
  });
});
