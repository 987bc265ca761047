import { describe, expect, it } from 'vitest';

import { legacyClientOf } from '../../testing/legacy-client-of.js';
import { textOf } from '../../testing/mux-rig.js';

describe('S17: a modern server that asks for input', () => {
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
      await using rig = await legacyClientOf('modern-asking');
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
    await using rig = await legacyClientOf('modern-asking');
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
    await using rig = await legacyClientOf('modern-asking');
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
    await using rig = await legacyClientOf('modern-asking');
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
    await using rig = await legacyClientOf('modern-asking');
    const called = rig.client.call('m__all');
    const { id } = await rig.client.asked('roots/list');
    rig.client.send(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -1, message: 'no disk' } }));
    const { result } = await called;
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toContain('no disk');
    expect(rig.client.count('notifications/cancelled')).toBe(2);
  });

  it('gets roots that the client was asked for once, until the client says that they changed', async () => {
    await using rig = await legacyClientOf('modern-asking');
    const first = rig.client.call('m__roots');
    rig.client.answer((await rig.client.asked('roots/list')).id, { roots: [{ uri: 'file:///a' }] });
    expect(textOf((await first).result)).toContain('file:///a');
    expect(textOf((await rig.client.call('m__roots')).result)).toContain('file:///a');
    expect(rig.client.count('roots/list')).toBe(1);
    rig.client.send('{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}');
    const third = rig.client.call('m__roots');
    await rig.client.line((line) => line.includes('"mux-2"'));
    rig.client.send('{"jsonrpc":"2.0","id":"mux-2","result":{"roots":[{"uri":"file:///b"}]}}');
    expect(textOf((await third).result)).toContain('file:///b');
    expect(rig.client.count('roots/list')).toBe(2);
  });

  it('is called again for its state alone', async () => {
    await using rig = await legacyClientOf('modern-asking');
    const { result } = await rig.client.call('m__state_only');
    expect(JSON.parse(textOf(result))).toEqual({ isSame: true });
  });

  it('asks in prompts too', async () => {
    await using rig = await legacyClientOf('modern-asking');
    const got = rig.client.request('prompts/get', { name: 'm__asks' });
    const { id } = await rig.client.asked('elicitation/create');
    rig.client.answer(id, { action: 'decline' });
    await expect(got).resolves.toMatchObject({ result: { description: '{"who":{"action":"decline"}}' } });
  });

  it('gets no answer that the client cannot give, and the model is told', async () => {
    await using rig = await legacyClientOf('modern-asking', {});
    const { result } = await rig.client.call('m__form');
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toContain('elicitation');
    const { error } = await rig.client.request('prompts/get', { name: 'm__asks' });
    expect(error?.code).toBe(-32_603);
  });

  it('asks in vain for ever', async () => {
    await using rig = await legacyClientOf('modern-asking');
    const called = rig.client.call('m__for_ever');
    for (let round = 1; round <= 10; round += 1) {
      await rig.client.line((line) => line.includes(`"id":"mux-${round}"`));
      rig.client.send(`{"jsonrpc":"2.0","id":"mux-${round}","result":{"action":"decline"}}`);
    }
    const { result } = await called;
    expect(textOf(result)).toContain('11 times');
  });

  it('is told when the client cancels, and the questions are withdrawn', async () => {
    await using rig = await legacyClientOf('modern-asking');
    rig.client.send('{"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"m__form"}}');
    const { id } = await rig.client.asked('elicitation/create');
    rig.client.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"c"}}');
    await rig.client.line((line) => line.includes('notifications/cancelled'));
    expect(rig.client.notified('notifications/cancelled')).toMatchObject([{ requestId: id }]);
  });

  it('answers with an unknown type of result: an error', async () => {
    await using rig = await legacyClientOf('modern-asking');
    const { error } = await rig.client.call('m__odd');
    expect(error).toMatchObject({ code: -32_603, message: expect.stringContaining('vendor') });
  });
});
