import process from 'node:process';

import { GuardRefusal } from '@mcpmux/core';
import { fixtureCommand } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import { BearerTokens } from './auth/bearer-tokens.js';
import { FrontRig, messagesIn, type FrontRigInit } from './testing/front-rig.js';
import { askModern, described, MODERN, modernHeaders, sendModern } from './testing/modern-requests.js';

const TOKENS = { ann: 'token-of-ann-0123456789', bob: 'token-of-bob-0123456789' };
const FLAGS = { notifications: { toolsListChanged: true } };
const SLOW = { name: 'e__slow_echo', arguments: { message: 'x', delay_ms: 50_000 } };
const ADD = { name: 'add_server', arguments: { name: 'mine', ...fixtureCommand('echo') } };

function bearer(token: string): { readonly headers: { readonly authorization: string } } {
  return { headers: { authorization: `Bearer ${token}` } };
}

function guarded(init: Omit<FrontRigInit, 'entrance'> = {}): Promise<FrontRig> {
  const credentials = BearerTokens.of(Object.values(TOKENS));
  if ('problem' in credentials) throw new Error(credentials.problem);
  return FrontRig.guarded({ ...init, entrance: { credentials } });
}

describe('requests without a session', () => {
  it('need a token where a session needs one', async () => {
    await using rig = await guarded();
    expect(await askModern(rig, 'server/discover')).toMatchObject({ status: 401 });
    expect(await askModern(rig, 'server/discover', {}, bearer(TOKENS.ann))).toMatchObject({ status: 200 });
  });

  it('see the same lists by every connection of their principal, and those of no other', async () => {
    await using rig = await guarded();
    const added = await askModern(rig, 'tools/call', ADD, bearer(TOKENS.ann));
    expect(messagesIn(added.text).at(-1)).toMatchObject({
      result: { structuredContent: { status: 'running' } },
    });
    const lists = await Promise.all(
      [TOKENS.ann, TOKENS.ann, TOKENS.bob].map((token) => askModern(rig, 'tools/list', {}, bearer(token))),
    );
    const [first, second, other] = lists.map(({ text }) => text);
    expect(first).toContain('"mine__echo"');
    expect(second).toBe(first);
    expect(other).not.toContain('"mine__echo"');
  });

  it('pass the guards, as their principal', async () => {
    await using rig = await guarded();
    await rig.mux.addServer('e', fixtureCommand('echo'));
    rig.mux.use('tools/call', ({ principal }, next) => {
      if (principal.id === 'token-2') throw new GuardRefusal('not for you', { reason: 'forbidden' });
      return next();
    });
    const call = { name: 'e__echo', arguments: { message: 'hi' } };
    const own = await askModern(rig, 'tools/call', call, bearer(TOKENS.ann));
    expect(messagesIn(own.text)[0]).toMatchObject({ result: { content: [{ text: 'hi' }] } });
    const other = await askModern(rig, 'tools/call', call, bearer(TOKENS.bob));
    expect(other.text).toContain('not for you');
  });

  it('add no server where a server belongs to a session', async () => {
    await using rig = await FrontRig.guarded({ isolated: true });
    const { text } = await askModern(rig, 'tools/call', ADD);
    expect(messagesIn(text)).toMatchObject([{ result: { isError: true } }]);
    expect(text).toContain('this request has none');
    expect(rig.mux.listServers({ everywhere: true })).toEqual([]);
  });

  it('are refused with 503 beyond the bound of their principal, and those of others are not', async () => {
    await using rig = await guarded({ limits: { maxRequestsPerPrincipal: 1 } });
    const listening = await sendModern(rig, 'subscriptions/listen', FLAGS, bearer(TOKENS.ann));
    await listening.until('acknowledged');
    const refused = await askModern(rig, 'tools/list', {}, bearer(TOKENS.ann));
    expect([refused.status, refused.response.headers['retry-after']]).toEqual([503, '1']);
    expect(await askModern(rig, 'tools/list', {}, bearer(TOKENS.bob))).toMatchObject({ status: 200 });
    listening.destroy();
    await rig.until(() => rig.front.counts.inFlight === 0);
    expect(await askModern(rig, 'tools/list', {}, bearer(TOKENS.ann))).toMatchObject({ status: 200 });
  });

  it('have the bounds of bodies', async () => {
    await using rig = await FrontRig.open({ maxBodyBytes: 1000 });
    const long = { message: 'x'.repeat(2000) };
    const large = await askModern(rig, 'tools/call', { name: 'e__echo', arguments: long });
    expect(large.status).toBe(413);
  });

  it.each([
    ['nested too deep', `"deep":${'['.repeat(400)}${']'.repeat(400)}`],
    ['with a member twice', '"name":"e__echo","name":"e__other"'],
  ])('are refused %s: their headers cannot be compared', async (_, members) => {
    await using rig = await FrontRig.open();
    await rig.mux.addServer('e', fixtureCommand('echo'));
    const params = `{${members},"_meta":${JSON.stringify(described())}}`;
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
    const answer = await rig.sendText('POST', modernHeaders('tools/call', { name: 'e__echo' }), body);
    await answer.ended;
    expect([answer.status, messagesIn(answer.text)[0]]).toMatchObject([400, { error: { code: -32_600 } }]);
    expect(answer.text).toContain('stands twice');
  });

  it('do not count as listeners that nobody removes, however many are in flight', async () => {
    const warnings: string[] = [];
    const warned = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', warned);
    await using rig = await FrontRig.open();
    const open = Array.from({ length: 20 }, () => sendModern(rig, 'subscriptions/listen', FLAGS));
    for (const listening of await Promise.all(open)) await listening.until('acknowledged');
    process.off('warning', warned);
    expect(warnings).toEqual([]);
  });

  it('in flight are answered when the front ends', async () => {
    await using rig = await FrontRig.open();
    await rig.mux.addServer('e', fixtureCommand('echo'));
    const started = new Promise((resolve) => rig.mux.on('call:start', resolve));
    const slow = askModern(rig, 'tools/call', SLOW);
    await started;
    const limit = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
    await rig.front.drain((event) => Promise.race([event, limit()]));
    const { text } = await slow;
    expect(messagesIn(text)).toMatchObject([{ id: 1 }]);
  });
});

it('a web page may send the headers of the revision, and those of arguments', async () => {
  await using rig = await FrontRig.open();
  const answer = await rig.send('OPTIONS', {
    origin: rig.url.origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'mcp-method,mcp-name,mcp-param-region, x-other',
  });
  const allowed = String(answer.response.headers['access-control-allow-headers']).split(', ');
  expect(allowed).toEqual(expect.arrayContaining(['mcp-method', 'mcp-name', 'mcp-param-region']));
  expect(allowed).not.toContain('x-other');
});

it('a request from another web page is refused before its revision counts', async () => {
  await using rig = await FrontRig.open();
  const headers = { origin: 'https://evil.example', 'mcp-protocol-version': MODERN };
  expect(await askModern(rig, 'tools/list', {}, { headers })).toMatchObject({ status: 403 });
});
