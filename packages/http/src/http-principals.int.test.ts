import { createHash } from 'node:crypto';

import { createMux, type Mux } from '@mcpmux/core';
import { accessControl } from '@mcpmux/core/guards';
import { fixtureCommand } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import { BearerTokens, type HashedToken } from './auth/bearer-tokens.js';
import { ResourceMetadata } from './auth/resource-metadata.js';
import { answersIn, FrontRig } from './testing/front-rig.js';

const TOKENS = { ann: 'token-of-ann-0123456789', bob: 'token-of-bob-0123456789' };
const bearer = (token: string): { readonly authorization: string } => ({ authorization: `Bearer ${token}` });

function hashed(token: string, more: Omit<HashedToken, 'hash'>): HashedToken {
  return { hash: `sha256:${createHash('sha256').update(token).digest('hex')}`, ...more };
}

const KNOWN = BearerTokens.hashed([
  hashed(TOKENS.ann, { principal: 'ann', roles: ['dev'], rights: ['manage'] }),
  hashed(TOKENS.bob, { principal: 'bob' }),
]);

function guardedFront(mux?: Mux): Promise<FrontRig> {
  const metadata = new ResourceMetadata({
    url: 'https://mux.example/mcp',
    authorizationServers: ['https://login.example'],
  });
  return FrontRig.guarded({ entrance: { credentials: KNOWN, metadata }, ...(mux && { mux }) });
}

async function answer(
  rig: FrontRig,
  session: Readonly<Record<string, string>>,
  method: string,
  params = {},
): Promise<unknown> {
  const sent = await rig.send('POST', session, { jsonrpc: '2.0', id: 1, method, params });
  await sent.ended;
  return answersIn(sent.text)[0];
}

describe('principals over HTTP', () => {
  it('H5: what a principal adds is its own, so it is not kept, and the refusal does not say that it is alone', async () => {
    const kept: string[] = [];
    const persist = {
      save: async (name: string) => void kept.push(name),
      delete: () => Promise.resolve(false),
    };
    await using rig = await guardedFront(createMux({}, { persist }));
    const ann = await rig.session('2025-11-25', {}, bearer(TOKENS.ann));
    const add = { name: 'add_server', arguments: { name: 'mine', ...fixtureCommand('echo'), persist: true } };
    const text = JSON.stringify(await answer(rig, ann, 'tools/call', add));
    expect(text).toMatch(/are not shared.*without \\\\?"persist/);
    expect([text.includes('alone'), kept]).toEqual([false, []]);
  });

  it('A6, A12: what a client sees and may do is that of whoever has its token', async () => {
    await using rig = await guardedFront(createMux({ addPolicy: { mode: 'deny' } }));
    rig.mux.use(accessControl({ rules: [{ servers: ['mcpmux'] }, { roles: ['dev'] }] }));
    const ann = await rig.session('2025-11-25', {}, bearer(TOKENS.ann));
    const bob = await rig.session('2025-11-25', {}, bearer(TOKENS.bob));
    await rig.mux.addServer('e', fixtureCommand('echo'));
    const add = { name: 'add_server', arguments: { name: 'mine', ...fixtureCommand('echo') } };
    expect(await answer(rig, bob, 'tools/call', add)).toMatchObject({ result: { isError: true } });
    expect(await answer(rig, ann, 'tools/call', add)).toMatchObject({
      result: { structuredContent: { status: 'running' } },
    });
    const call = { name: 'e__echo', arguments: { message: 'hi' } };
    expect(await answer(rig, ann, 'tools/call', call)).toMatchObject({
      result: { content: [{ text: 'hi' }] },
    });
    expect(await answer(rig, bob, 'tools/call', call)).toMatchObject({
      error: { data: { reason: 'forbidden', server: 'e' } },
    });
    expect(JSON.stringify(await answer(rig, ann, 'tools/list'))).toContain('e__echo');
    expect(JSON.stringify(await answer(rig, bob, 'tools/list'))).not.toContain('e__echo');
  });

  it('I5: a session of another principal is as unknown as what never was', async () => {
    await using rig = await guardedFront();
    const ann = await rig.session('2025-11-25', {}, bearer(TOKENS.ann));
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    expect(await rig.send('POST', { ...ann, ...bearer(TOKENS.bob) }, ping)).toMatchObject({ status: 404 });
    expect(await rig.send('POST', ann, ping)).toMatchObject({ status: 200 });
  });
});

describe('callers without a token', () => {
  it('A6: are told where they get one', async () => {
    await using rig = await guardedFront();
    const refused = await rig.send('POST', {}, {});
    const path = '/.well-known/oauth-protected-resource';
    expect(refused.status).toBe(401);
    expect(refused.response.headers['www-authenticate']).toBe(
      `Bearer realm="mcpmux", resource_metadata="https://mux.example${path}/mcp"`,
    );
    for (const at of [path, `${path}/mcp`]) {
      rig.url.pathname = at;
      const reported = await rig.send('GET');
      await reported.ended;
      expect(JSON.parse(reported.text)).toMatchObject({
        resource: 'https://mux.example/mcp',
        authorization_servers: ['https://login.example'],
      });
    }
  });

  it.each([
    [{}, 'A token is required'],
    [bearer('a-token-of-nobody-at-all'), 'This token is not accepted'],
    [bearer(`${TOKENS.ann}x`), 'This token is not accepted'],
    [{ authorization: 'Basic YW5uOmh1bnRlcjI=' }, 'holds no bearer token'],
  ])('A6: are told what is wrong with what they sent, and no more: %j', async (headers, message) => {
    await using rig = await guardedFront();
    const refused = await rig.send('POST', headers, {});
    await refused.ended;
    expect(refused.status).toBe(401);
    expect(refused.text).toContain(message);
    expect(refused.text).not.toMatch(/nobody-at-all|ann|YW5u/);
  });

  it('I20: are told to wait when there are too many, and whoever has one is served all the same', async () => {
    await using rig = await guardedFront();
    const statuses = new Map<number, number>();
    for (let attempt = 0; attempt < 40; attempt += 1) {
      const refused = await rig.send('POST', bearer('a-token-of-nobody-at-all'), {});
      refused.destroy();
      statuses.set(refused.status, (statuses.get(refused.status) ?? 0) + 1);
    }
    expect([...statuses]).toEqual([
      [401, 30],
      [429, 10],
    ]);
    expect(await rig.session('2025-11-25', {}, bearer(TOKENS.ann))).toHaveProperty('mcp-session-id');
  });
});
