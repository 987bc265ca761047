import { createMux } from '@mcpmux/core';
import { fixtureCommand, type FixtureName } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import { BearerTokens } from './auth/bearer-tokens.js';
import { FrontRig, messagesIn } from './testing/front-rig.js';
import { askModern, MODERN, modernBody, modernHeaders, sendModern } from './testing/modern-requests.js';

const FORMS = { capabilities: { elicitation: { form: {} } } };
const QUESTION = { message: 'Name?', requestedSchema: { type: 'object', properties: {} } };
const ASK = { name: 'i__ask', arguments: { method: 'elicitation/create', params: QUESTION } };
const TOKENS = { ann: 'token-of-ann-0123456789', bob: 'token-of-bob-0123456789' };

function bearer(token: string): { readonly headers: { readonly authorization: string } } {
  return { headers: { authorization: `Bearer ${token}` } };
}

/** The state in an answer with questions. */
function stateOf(asked: Readonly<Record<string, unknown>> | undefined): string {
  const { requestState = '' } = (asked?.['result'] ?? {}) as { readonly requestState?: string };
  return requestState;
}

async function withServer(name: string, fixture: FixtureName): Promise<FrontRig> {
  const rig = await FrontRig.open();
  await rig.mux.addServer(name, fixtureCommand(fixture));
  return rig;
}

describe('S15: a request of 2026-07-28 over HTTP', () => {
  it('is answered as JSON, without a session', async () => {
    await using rig = await withServer('e', 'echo');
    const call = { name: 'e__echo', arguments: { message: 'hi' } };
    const answer = await askModern(rig, 'tools/call', call, { id: 'a' });
    expect([answer.status, answer.id, answer.response.headers['content-type']]).toEqual([
      200,
      undefined,
      'application/json',
    ]);
    expect(messagesIn(answer.text)).toMatchObject([
      { id: 'a', result: { resultType: 'complete', content: [{ text: 'hi' }] } },
    ]);
    expect(rig.front.counts).toEqual({ open: 0, inFlight: 0, unreadBytes: 0 });
  });

  it('is discovered', async () => {
    await using rig = await FrontRig.open();
    const { status, text } = await askModern(rig, 'server/discover');
    expect([status, messagesIn(text)[0]]).toMatchObject([
      200,
      { result: { supportedVersions: [MODERN], resultType: 'complete', cacheScope: 'private' } },
    ]);
  });

  it('is answered on a stream of events once progress comes first', async () => {
    await using rig = await withServer('p', 'progress');
    const call = { name: 'p__count', arguments: { n: 2 } };
    const answer = await askModern(rig, 'tools/call', call, { meta: { progressToken: 'mine' } });
    expect(answer.response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
    });
    expect(answer.response.headers['mcp-session-id']).toBeUndefined();
    expect(answer.text).not.toMatch(/^id:/m);
    const [first, second, last] = messagesIn(answer.text);
    expect([first, second]).toMatchObject([
      { params: { progressToken: 'mine' } },
      { params: { progressToken: 'mine' } },
    ]);
    expect(last).toMatchObject({ id: 1, result: { resultType: 'complete' } });
  });

  it('gets the answer alone where the client reads JSON alone', async () => {
    await using rig = await withServer('p', 'progress');
    const init = { meta: { progressToken: 1 }, headers: { accept: 'application/json' } };
    const answer = await askModern(rig, 'tools/call', { name: 'p__count', arguments: { n: 2 } }, init);
    expect(messagesIn(answer.text)).toMatchObject([{ id: 1, result: { resultType: 'complete' } }]);
  });

  it('is cancelled at its server when the client closes the response', async () => {
    await using rig = await withServer('e', 'echo');
    const started = new Promise((resolve) => rig.mux.on('call:start', resolve));
    const ended = new Promise((resolve) => rig.mux.on('call:end', resolve));
    const controller = new AbortController();
    const call = { name: 'e__slow_echo', arguments: { message: 'x', delay_ms: 50_000 } };
    const sent = fetch(rig.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...modernHeaders('tools/call', call) },
      body: JSON.stringify(modernBody('tools/call', call)),
      signal: controller.signal,
    });
    await started;
    controller.abort();
    await expect(sent).rejects.toThrow('abort');
    await expect(ended).resolves.toMatchObject({ ending: 'cancelled' });
    await rig.until(() => rig.front.counts.inFlight === 0);
  });

  it('begins a stream before a proxy would drop the silent connection', async () => {
    await using rig = await FrontRig.open({ keepAliveMs: 20 });
    await rig.mux.addServer('e', fixtureCommand('echo'));
    const call = { name: 'e__slow_echo', arguments: { message: 'late', delay_ms: 200 } };
    const answer = await askModern(rig, 'tools/call', call);
    expect(answer.response.headers['content-type']).toBe('text/event-stream');
    expect(answer.text).toContain(': keepalive');
    expect(messagesIn(answer.text)).toMatchObject([{ id: 1, result: { content: [{ text: 'late' }] } }]);
  });

  it('counts for itself: many have the same id at the same time', async () => {
    await using rig = await withServer('e', 'echo');
    const texts = ['one', 'two', 'three', 'four'];
    const answers = await Promise.all(
      texts.map((message) => askModern(rig, 'tools/call', { name: 'e__echo', arguments: { message } })),
    );
    expect(answers.map(({ text }) => messagesIn(text)[0])).toMatchObject(
      texts.map((text) => ({ id: 1, result: { content: [{ text }] } })),
    );
  });
});

describe('subscriptions/listen over HTTP', () => {
  const FLAGS = { notifications: { toolsListChanged: true } };

  it('acknowledges first, tells of changes on its stream, and ends in order with the front', async () => {
    await using rig = await FrontRig.open();
    const listening = await sendModern(rig, 'subscriptions/listen', FLAGS, { id: 'listen:0' });
    await listening.until('notifications/subscriptions/acknowledged');
    await rig.mux.addServer('e', fixtureCommand('echo'));
    await listening.until('notifications/tools/list_changed');
    await rig.front.drain((event) => event);
    await listening.ended;
    const messages = messagesIn(listening.text);
    expect(messages[0]).toMatchObject({ params: { notifications: { toolsListChanged: true } } });
    expect(messages.at(-1)).toMatchObject({
      id: 'listen:0',
      result: {
        resultType: 'complete',
        _meta: { 'io.modelcontextprotocol/subscriptionId': 'listen:0' },
      },
    });
  });

  it('ends when its client closes the stream, and not by a notification that any client may post', async () => {
    await using rig = await FrontRig.open();
    const listening = await sendModern(rig, 'subscriptions/listen', FLAGS, { id: 'listen:0' });
    await listening.until('acknowledged');
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'listen:0' } };
    const posted = await rig.send('POST', { 'mcp-protocol-version': MODERN }, cancel);
    expect(posted.status).toBe(202);
    await rig.mux.addServer('e', fixtureCommand('echo'));
    await listening.until('notifications/tools/list_changed');
    listening.destroy();
    await rig.until(() => rig.front.counts.inFlight === 0);
  });
});

describe('S17: requests with questions over HTTP', () => {
  it('are answered with the question, and go on with the retry', async () => {
    await using rig = await withServer('i', 'interactive');
    const asked = messagesIn((await askModern(rig, 'tools/call', ASK, FORMS)).text)[0];
    expect(asked).toMatchObject({
      result: { resultType: 'input_required', inputRequests: { r1: { method: 'elicitation/create' } } },
    });
    const requestState = stateOf(asked);
    const inputResponses = { r1: { action: 'accept', content: { name: 'Ada' } } };
    const retry = { ...ASK, inputResponses, requestState };
    const answered = await askModern(rig, 'tools/call', retry, { ...FORMS, id: 2 });
    expect(messagesIn(answered.text)).toMatchObject([{ id: 2, result: { resultType: 'complete' } }]);
    expect(answered.text).toContain('Ada');
    const again = await askModern(rig, 'tools/call', retry, { ...FORMS, id: 3 });
    expect([again.status, messagesIn(again.text)[0]]).toMatchObject([
      200,
      { id: 3, error: { code: -32602 } },
    ]);
  });

  it('go on for the principal that was asked, and for no other', async () => {
    const credentials = BearerTokens.of(Object.values(TOKENS));
    if ('problem' in credentials) throw new Error(credentials.problem);
    await using rig = await FrontRig.guarded({ entrance: { credentials } });
    await rig.mux.addServer('i', fixtureCommand('interactive'));
    const ann = { ...FORMS, ...bearer(TOKENS.ann) };
    const asked = messagesIn((await askModern(rig, 'tools/call', ASK, ann)).text)[0];
    const requestState = stateOf(asked);
    const retry = { ...ASK, inputResponses: { r1: { action: 'decline' } }, requestState };
    const foreign = await askModern(rig, 'tools/call', retry, { ...FORMS, ...bearer(TOKENS.bob) });
    expect(messagesIn(foreign.text)[0]).toMatchObject({ error: { code: -32602 } });
    const own = await askModern(rig, 'tools/call', retry, ann);
    expect(messagesIn(own.text)[0]).toMatchObject({ result: { resultType: 'complete' } });
  });

  it('are parked no longer than their mux says', async () => {
    await using rig = await FrontRig.guarded({ mux: createMux({}, { limits: { parkMs: 20 } }) });
    await rig.mux.addServer('i', fixtureCommand('interactive'));
    const ended = new Promise((resolve) => rig.mux.on('call:end', resolve));
    await askModern(rig, 'tools/call', ASK, FORMS);
    await expect(ended).resolves.toMatchObject({ ending: 'cancelled' });
  });
});

it('D27: each client of a principal is asked for its own roots', async () => {
  await using rig = await withServer('c', 'conformance');
  const call = { name: 'c__test_input_required_result_list_roots', arguments: {} };
  const init = { capabilities: { roots: {} } };
  for (const uri of ['file:///a', 'file:///b']) {
    const asked = messagesIn((await askModern(rig, 'tools/call', call, init)).text)[0];
    const inputResponses = { r1: { roots: [{ uri }] } };
    const retry = { ...call, inputResponses, requestState: stateOf(asked) };
    expect((await askModern(rig, 'tools/call', retry, init)).text).toContain(uri);
  }
});

describe.each(['conformance', 'conformance-modern'] as const)('a tool of %s with a header', (fixture) => {
  it.each<[string, Readonly<Record<string, string>>, number]>([
    ['as it is', { 'mcp-param-region': 'eu' }, 200],
    ['in Base64', { 'mcp-param-region': '=?base64?ZXU=?=' }, 200],
    ['not at all', {}, 400],
    ['in Base64 that is none', { 'mcp-param-region': '=?base64?ZXU?=' }, 400],
    ['as another one', { 'mcp-param-region': 'us' }, 400],
  ])('is called with its argument %s', async (_, headers, status) => {
    await using rig = await withServer('c', fixture);
    const call = { name: 'c__test_x_mcp_header', arguments: { region: 'eu' } };
    const answer = await askModern(rig, 'tools/call', call, { headers });
    expect(answer.status).toBe(status);
    const inner = { name: 'call_tool', arguments: call };
    expect((await askModern(rig, 'tools/call', inner)).text).toContain('region=eu');
  });
});

it.each(['conformance', 'conformance-modern'] as const)(
  'a server (%s) that needs what its client does not declare says so, with the status 400',
  async (fixture) => {
    await using rig = await withServer('c', fixture);
    const call = { name: 'c__test_missing_capability', arguments: {} };
    const answer = await askModern(rig, 'tools/call', call);
    expect([answer.status, messagesIn(answer.text)[0]]).toMatchObject([
      400,
      { id: 1, error: { code: -32_021, data: { requiredCapabilities: { sampling: {} } } } },
    ]);
  },
);
