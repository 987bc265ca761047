import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { LogFields } from '@mcpmux/core';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { describe, expect, it } from 'vitest';

import { SignedTokens } from './signed-tokens.js';

const [key, otherKey] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')]);
const CLAIMS = {
  sub: 'ann',
  iss: 'https://login.example',
  aud: 'https://mux.example/mcp',
  roles: ['dev', 'ops'],
};

const NAMELESS: JWTPayload = { iss: CLAIMS.iss, aud: CLAIMS.aud, roles: CLAIMS.roles };

/** An authorization server that publishes its keys, and whoever believes it. */
async function rig(clock?: ManualClock) {
  let asked = 0;
  const keys = JSON.stringify({ keys: [{ ...(await exportJWK(key.publicKey)), kid: 'one', alg: 'ES256' }] });
  const server = createServer((_, response) => {
    asked += 1;
    response.setHeader('content-type', 'application/json').end(keys);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const logged: LogFields[] = [];
  const { port } = server.address() as AddressInfo;
  const { iss: issuer, aud: audience } = CLAIMS;
  const tokens = new SignedTokens(
    { jwksUrl: `http://127.0.0.1:${port}/keys`, issuer, audience, manageRoles: ['ops'] },
    { enabled: () => true, log: (_, __, fields = {}) => logged.push(fields) },
    clock,
  );
  return {
    tokens,
    logged,
    asked: () => asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function signed(claims: JWTPayload, signing = key.privateKey, expires = '5m'): Promise<string> {
  const jwt = new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'one' }).setIssuedAt();
  return `Bearer ${await (expires === '' ? jwt : jwt.setExpirationTime(expires)).sign(signing)}`;
}

describe('SignedTokens', () => {
  it.each([{ user: 'alice' }, 5, '', ['ann'], true])(
    'a token whose subject is no text names nobody: %j',
    async (sub) => {
      await using played = await rig();
      const token = await signed({ ...CLAIMS, sub: sub as string });
      expect(await played.tokens.principalOf(token)).toBeUndefined();
      expect(played.logged).toHaveLength(1);
    },
  );

  it('refused tokens do not cost a line of the log each', async () => {
    const clock = new ManualClock();
    await using played = await rig(clock);
    const forged = await signed(CLAIMS, otherKey.privateKey);
    for (let count = 0; count < 20; count += 1) await played.tokens.principalOf(forged);
    expect(played.logged).toHaveLength(1);
    clock.advance(10_000);
    await played.tokens.principalOf(forged);
    expect(played.logged).toMatchObject([{}, { unlogged: 19 }]);
  });

  it('A6: a token that its issuer has signed names a principal with roles and rights; keys are asked for once', async () => {
    await using played = await rig();
    const ann = { id: 'jwt:ann', roles: ['dev', 'ops'], rights: ['manage'] };
    expect(await played.tokens.principalOf(await signed(CLAIMS))).toEqual(ann);
    const bob = await signed({ ...CLAIMS, sub: 'bob', roles: 'dev reader' });
    expect(await played.tokens.principalOf(bob)).toEqual({
      id: 'jwt:bob',
      roles: ['dev', 'reader'],
      rights: [],
    });
    expect(played.asked()).toBe(1);
  });

  it.each<[string, () => Promise<string>]>([
    ['signed by somebody else', () => signed(CLAIMS, otherKey.privateKey)],
    ['for another audience', () => signed({ ...CLAIMS, aud: 'https://other.example' })],
    ['of another issuer', () => signed({ ...CLAIMS, iss: 'https://other.example' })],
    ['that has expired', () => signed(CLAIMS, key.privateKey, '-5m')],
    ['that never expires', () => signed(CLAIMS, key.privateKey, '')],
    ['of nobody', () => signed(NAMELESS)],
    ['signed with a secret', () => hmac()],
    ['without a signature', () => Promise.resolve(`Bearer ${unsigned()}`)],
  ])('A6, I16: a token %s is refused, and the log does not hold it', async (_, make) => {
    await using played = await rig();
    const token = await make();
    expect(await played.tokens.principalOf(token)).toBeUndefined();
    expect(JSON.stringify(played.logged)).not.toContain(token.split('.')[1]);
  });

  it.each([undefined, 'Bearer not-a-jwt', 'Basic a.b.c', `Bearer ${'a'.repeat(9000)}.b.c`])(
    'what is no signed token costs no look at the keys: %.30s',
    async (header) => {
      await using played = await rig();
      expect(await played.tokens.principalOf(header)).toBeUndefined();
      expect(played.asked()).toBe(0);
    },
  );
});

function hmac(): Promise<string> {
  const secret = new TextEncoder().encode('x'.repeat(64));
  const jwt = new SignJWT(CLAIMS).setProtectedHeader({ alg: 'HS256', kid: 'one' }).setExpirationTime('5m');
  return jwt.sign(secret).then((token) => `Bearer ${token}`);
}

function unsigned(): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ ...CLAIMS, exp: 4_000_000_000 })}.x`;
}
