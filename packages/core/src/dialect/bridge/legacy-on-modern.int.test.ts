import { describe, expect, it } from 'vitest';

import { MuxClient } from '../../testing/mux-client.js';
import { MuxRig, textOf } from '../../testing/mux-rig.js';

const EVERYTHING = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: { listChanged: true },
  tasks: {},
};

interface Heard {
  readonly method: string;
  readonly params: { readonly _meta: Readonly<Record<string, unknown>> } & Readonly<Record<string, unknown>>;
}

/** A mux whose client declares these capabilities, in front of a fixture. */
async function before(fixture: Parameters<MuxRig['add']>[1], capabilities: object = EVERYTHING) {
  const rig = await MuxRig.open();
  const client = await MuxClient.initialized(rig.mux, capabilities);
  await rig.add('m', fixture);
  return {
    rig,
    client,
    heard: async (): Promise<Heard[]> => {
      const { result } = await client.call('m__heard');
      const { content } = result as { content: { text: string }[] };
      return content.map(({ text }) => JSON.parse(text) as Heard);
    },
    [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
  };
}

describe('a client with a session in front of a modern server', () => {
  it('is shown its revision and era, its lists, its instructions', async () => {
    await using rig = await before('modern');
    expect(rig.rig.status('m')).toMatchObject({ protocol_version: '2026-07-28', era: 'modern', restarts: 0 });
    await expect(rig.client.serverTools()).resolves.toContain('m__echo');
    const late = await MuxClient.initialized(rig.rig.mux);
    const line = await late.responseLine('"r1"');
    expect(line).toContain('Speak modern.');
  });

  it('gets results without what only the modern era has', async () => {
    await using rig = await before('modern');
    const called = await rig.client.call('m__echo', { message: 'hi' });
    expect(called.result).toEqual({ content: [{ type: 'text', text: 'hi' }] });
    const read = await rig.client.request('resources/read', { uri: 'memo:///one' });
    expect(read.result).toEqual({ contents: [{ uri: 'memo:///one', text: 'the text of memo:///one' }] });
    const prompt = await rig.client.request('prompts/get', { name: 'm__greet' });
    expect(prompt.result).not.toHaveProperty('resultType');
    const completed = await rig.client.request('completion/complete', {
      ref: { type: 'ref/prompt', name: 'm__greet' },
      argument: { name: 'x', value: '' },
    });
    expect(completed.result).toEqual({ completion: { values: ['one'] } });
  });

  it('is described to it with every request, and mcpmux with its own', async () => {
    await using rig = await before('modern');
    await rig.client.call('m__echo', { message: 'hi' });
    const heard = await rig.heard();
    for (const { params } of heard.filter(({ method }) => !method.startsWith('notifications/')))
      expect(params).toMatchObject({ _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } });
    const call = heard.find(({ method }) => method === 'tools/call');
    const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
    expect(call?.params).toMatchObject({
      _meta: {
        'io.modelcontextprotocol/clientInfo': { name: 'mcpmux' },
        'io.modelcontextprotocol/clientCapabilities': capabilities,
      },
    });
    expect(JSON.stringify(call)).not.toContain('tasks');
  });

  it('gets progress and can cancel', async () => {
    await using rig = await before('modern');
    await rig.client.request('tools/call', {
      name: 'm__count',
      arguments: { n: 3 },
      _meta: { progressToken: 'p' },
    });
    expect(rig.client.notified('notifications/progress')).toEqual(
      [1, 2, 3].map((progress) => ({ progressToken: 'p', progress, total: 3 })),
    );
    rig.client.send('{"jsonrpc":"2.0","id":"w","method":"tools/call","params":{"name":"m__wait"}}');
    rig.client.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"w"}}');
    const heard = await rig.heard();
    const methods = heard.map(({ method }) => method);
    expect(methods.slice(-3)).toEqual(['tools/call', 'notifications/cancelled', 'tools/call']);
  });

  it('gets log messages once it has asked for them, with each request', async () => {
    await using rig = await before('modern');
    const { result: without } = await rig.client.call('m__log', { level: 'info', data: 'x' });
    expect(textOf(without)).toBe('undefined');
    await rig.client.request('logging/setLevel', { level: 'warning' });
    await rig.client.call('m__log', { level: 'info', data: 'low' });
    const { result } = await rig.client.call('m__log', { level: 'error', data: 'high' });
    expect(textOf(result)).toBe('warning');
    expect(rig.client.notified('notifications/message')).toEqual([
      { level: 'error', logger: 'm/main', data: 'high' },
    ]);
  });

  it('gets errors that it knows', async () => {
    await using rig = await before('modern');
    const { result } = await rig.client.call('m__lacks');
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toContain('sampling');
    const { error } = await rig.client.request('resources/read', { uri: 'memo:///none' });
    expect(error).toMatchObject({ code: -32_602, data: { uri: 'memo:///none' } });
  });

  it('sees an object where a tool gives an array', async () => {
    await using rig = await before('modern');
    const tools = await rig.client.tools();
    expect(tools.find(({ name }) => name === 'm__array')?.['outputSchema']).toEqual({
      type: 'object',
      properties: {
        result: {
          type: 'array',
          items: { $ref: '#/properties/result/$defs/n' },
          $defs: { n: { type: 'number' } },
        },
      },
      required: ['result'],
    });
    const { result } = await rig.client.call('m__array');
    expect(result).toEqual({
      content: [{ type: 'text', text: '[1,2]' }],
      structuredContent: { result: [1, 2] },
    });
  });

  it('hears of changed lists and resources, without the subscription of mcpmux', async () => {
    await using rig = await before('modern');
    await rig.client.call('m__add_tool', { name: 'late' });
    await rig.client.listChanged(1);
    await rig.rig.listed('m', 'm__late');
    const subscribed = await rig.client.request('resources/subscribe', { uri: 'memo:///one' });
    expect(subscribed.result).toEqual({});
    await rig.client.call('m__touch', { uri: 'memo:///one' });
    await rig.client.line((line) => line.includes('resources/updated'));
    expect(rig.client.notified('notifications/resources/updated')).toEqual([{ uri: 'memo:///one' }]);
    const refused = await rig.client.request('resources/subscribe', { uri: 'other:///one' });
    expect(refused.error?.code).toBe(-32_602);
    await rig.client.request('resources/unsubscribe', { uri: 'memo:///one' });
    const { result } = await rig.client.call('m__listens');
    const flags = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
    const history = JSON.parse(textOf(result)) as { cancelled?: number }[];
    expect(history.filter(({ cancelled }) => cancelled === undefined)).toEqual([
      flags,
      { ...flags, resourceSubscriptions: ['memo:///one'] },
      { ...flags, resourceSubscriptions: ['memo:///one', 'other:///one'] },
      flags,
    ]);
  });

  it('hears of a changed list when the server that ended its listening is listened to again', async () => {
    await using rig = await before('modern');
    await rig.client.call('m__end_listens');
    await rig.client.call('m__add_tool', { name: 'meanwhile' });
    await rig.rig.listed('m', 'm__meanwhile');
    expect(rig.client.count('notifications/tools/list_changed')).toBeGreaterThan(0);
  });

  it('hears of a list that grew unannounced once it has asked for the list', async () => {
    await using rig = await before('modern-sloppy');
    await rig.client.call('m__grow');
    await rig.client.serverTools();
    await rig.rig.listed('m', 'm__grown_2');
    await expect(rig.client.serverTools()).resolves.toHaveLength(3);
  });

  it('is not asked by a server that sends a request', async () => {
    await using rig = await before('modern');
    await rig.client.call('m__ask');
    const heard = await rig.heard();
    expect(heard).toContainEqual(expect.objectContaining({ id: 'own-1', error: expect.anything() }));
    expect(rig.client.lines.join()).not.toContain('roots/list');
  });
});

describe('a modern server that asks for input', () => {
  it.each([
    [
      'form',
      'elicitation/create',
      { mode: 'form', message: '[m] Your name?' },
      { who: { action: 'accept', content: { name: 'Ada' } } },
    ],
    [
      'sample',
      'sampling/createMessage',
      { _meta: { 'dev.mcpmux/server': 'm' } },
      { model: { model: 'm', role: 'assistant', content: {} } },
    ],
    ['roots', 'roots/list', {}, { where: { roots: [{ uri: 'file:///x' }] } }],
  ] as const)(
    'has the client asked, and gets the answer with its state: %s',
    async (tool, method, shown, answers) => {
      await using rig = await before('modern-asking');
      const called = rig.client.call(`m__${tool}`);
      const { id, params } = await rig.client.asked(method);
      expect(params ?? {}).toMatchObject(shown);
      const [answer] = Object.values(answers);
      rig.client.answer(id, answer ?? {});
      const { result } = await called;
      expect(JSON.parse(textOf(result))).toEqual({ inputResponses: answers, isSame: true });
    },
  );

  it('gets answers byte for byte', async () => {
    await using rig = await before('modern-asking');
    rig.client.send(
      '{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"m__several","arguments":{"note":"\\u0041 1.0"},"_meta":{"progressToken":7}}}',
    );
    const answers = [
      '{"action":"accept", "content":{"n":12345678901234567890}}',
      '{"action":"decline"}',
      '{"action":"cancel"}',
    ];
    for (const [index, answer] of answers.entries()) {
      const question = await rig.client.line((line) => line.includes(`"id":"mux-${index + 1}"`));
      expect(question).toContain('elicitation/create');
      rig.client.send(`{"jsonrpc":"2.0","id":"mux-${index + 1}","result":${answer}}`);
    }
    const { result } = JSON.parse(await rig.client.responseLine('"x"')) as {
      result: { content: { text: string }[] };
    };
    const rounds = result.content.map(({ text }) => text);
    expect(rounds).toHaveLength(4);
    expect(new Set(rounds.map((line) => (JSON.parse(line) as { id: number }).id)).size).toBe(4);
    for (const round of rounds) expect(round).toContain(String.raw`"arguments":{"note":"\u0041 1.0"}`);
    expect(rounds[1]).toContain(`"inputResponses":{"r1":${answers[0]}},"requestState":"1"`);
    expect(rounds[2]).toContain(`"inputResponses":{"r2":${answers[1]}},"requestState":"2"`);
    expect(rounds[2]).not.toContain('r1');
    // The second round began anew; to the client it is one request.
    expect(rig.client.notified('notifications/progress').map(({ progress }) => progress)).toEqual([1, 3, 4]);
  });

  it('has a url opened, under an id that is told to be done', async () => {
    await using rig = await before('modern-asking');
    const called = rig.client.call('m__url');
    const { id, params } = await rig.client.asked('elicitation/create');
    expect(params).toMatchObject({
      mode: 'url',
      url: 'https://a.example/A?b=1',
      elicitationId: expect.any(String),
    });
    rig.client.answer(id, { action: 'accept' });
    await called;
    const { elicitationId } = params;
    expect(rig.client.notified('notifications/elicitation/complete')).toEqual([{ elicitationId }]);
  });

  it('has several questions put side by side', async () => {
    await using rig = await before('modern-asking');
    const called = rig.client.call('m__all');
    const roots = await rig.client.asked('roots/list');
    const sampling = await rig.client.asked('sampling/createMessage');
    const form = await rig.client.asked('elicitation/create');
    rig.client.answer(roots.id, { roots: [] });
    rig.client.answer(sampling.id, { model: 'm' });
    rig.client.answer(form.id, { action: 'cancel' });
    const { result } = await called;
    expect(JSON.parse(textOf(result))).toMatchObject({
      inputResponses: { a: { action: 'cancel' }, b: { model: 'm' }, c: { roots: [] } },
    });
  });

  it('fails the call, and withdraws the other questions, when one is answered with an error', async () => {
    await using rig = await before('modern-asking');
    const called = rig.client.call('m__all');
    const { id } = await rig.client.asked('roots/list');
    rig.client.send(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -1, message: 'no disk' } }));
    const { result } = await called;
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toContain('no disk');
    expect(rig.client.count('notifications/cancelled')).toBe(2);
  });

  it('is called again for its state alone', async () => {
    await using rig = await before('modern-asking');
    const { result } = await rig.client.call('m__state_only');
    expect(JSON.parse(textOf(result))).toEqual({ isSame: true });
  });

  it('asks in prompts too', async () => {
    await using rig = await before('modern-asking');
    const got = rig.client.request('prompts/get', { name: 'm__asks' });
    const { id } = await rig.client.asked('elicitation/create');
    rig.client.answer(id, { action: 'decline' });
    await expect(got).resolves.toMatchObject({ result: { description: '{"who":{"action":"decline"}}' } });
  });

  it('gets no answer that the client cannot give, and the model is told', async () => {
    await using rig = await before('modern-asking', {});
    const { result } = await rig.client.call('m__form');
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toContain('elicitation');
    const { error } = await rig.client.request('prompts/get', { name: 'm__asks' });
    expect(error?.code).toBe(-32_603);
  });

  it('asks in vain for ever', async () => {
    await using rig = await before('modern-asking');
    const called = rig.client.call('m__for_ever');
    for (let round = 1; round <= 10; round += 1) {
      await rig.client.line((line) => line.includes(`"id":"mux-${round}"`));
      rig.client.send(`{"jsonrpc":"2.0","id":"mux-${round}","result":{"action":"decline"}}`);
    }
    const { result } = await called;
    expect(textOf(result)).toContain('11 times');
  });

  it('is told when the client cancels, and the questions are withdrawn', async () => {
    await using rig = await before('modern-asking');
    rig.client.send('{"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"m__form"}}');
    const { id } = await rig.client.asked('elicitation/create');
    rig.client.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"c"}}');
    await rig.client.line((line) => line.includes('notifications/cancelled'));
    expect(rig.client.notified('notifications/cancelled')).toMatchObject([{ requestId: id }]);
  });

  it('answers with an unknown type of result: an error', async () => {
    await using rig = await before('modern-asking');
    const { error } = await rig.client.call('m__odd');
    expect(error).toMatchObject({ code: -32_603, message: expect.stringContaining('vendor') });
  });
});
