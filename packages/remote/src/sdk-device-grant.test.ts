import type { Clock } from '@mcpmux/kit';
import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { expect, it } from 'vitest';

import { AuthorizationReach } from './authorization-reach.js';
import type { DevicePrompt } from './login-init.js';
import { RemoteError } from './remote-error.js';
import { runDeviceGrant, type DeviceClient } from './sdk-device-grant.js';

const DEVICE: DeviceClient = {
  endpoint: 'https://login.example/device',
  authorizationServer: 'https://login.example',
  metadata: {
    issuer: 'https://login.example',
    authorization_endpoint: 'https://login.example/authorize',
    token_endpoint: 'https://login.example/token',
    response_types_supported: ['code'],
  },
  client: { client_id: 'c' },
  resource: 'https://server.example/mcp',
  scope: 'tools',
};
const CODES = {
  device_code: 'd',
  user_code: 'ABCD-EFGH',
  verification_uri: 'https://login.example/code',
  verification_uri_complete: 'https://login.example/code?c=ABCD-EFGH',
  expires_in: 100_000,
};

/** What the authorization server answers to a poll. */
type Poll =
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'unreachable'
  | 'reset'
  | 'unnamed'
  | 'forbidden'
  | 'tokens';

function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

const AWAY_POLLS: readonly Poll[] = ['unreachable', 'reset', 'unnamed'];
const AWAY: ReadonlySet<unknown> = new Set(AWAY_POLLS);

class Rig {
  readonly sent: { readonly at: number; readonly body: URLSearchParams }[] = [];
  readonly prompts: DevicePrompt[] = [];
  time = 0;
  /** Time passes only while something waits. */
  readonly clock: Clock = {
    now: () => this.time,
    schedule: (callback, ms) => {
      this.time += ms;
      queueMicrotask(callback);
      return { cancel: () => undefined };
    },
  };

  constructor(
    private readonly polls: readonly Poll[],
    private readonly codes: object = CODES,
  ) {}

  run(device = DEVICE): Promise<unknown> {
    const provider = { clientInformation: () => device.client, clientMetadata: { redirect_uris: [] } };
    const tools = { fetch: this.fetch, clock: this.clock, reach: new AuthorizationReach() };
    return runDeviceGrant(
      provider as unknown as OAuthClientProvider,
      device,
      (one) => this.prompts.push(one),
      tools,
    );
  }

  private readonly fetch = (url: string | URL, { body }: { body?: unknown } = {}): Promise<Response> => {
    const poll = this.polls[this.sent.length - 1];
    this.sent.push({ at: this.time, body: new URLSearchParams(String(body)) });
    if (String(url) === DEVICE.endpoint)
      return Promise.resolve(Response.json(this.codes, { status: 'error' in this.codes ? 400 : 200 }));
    if (poll === 'unreachable') return Promise.reject(new RemoteError('it is away'));
    if (poll === 'reset') return Promise.reject(systemError('ECONNRESET'));
    if (poll === 'unnamed') return Promise.reject(new Error('failed', { cause: systemError('EAI_AGAIN') }));
    if (poll === 'forbidden') return Promise.reject(new AuthorizationReach().refusal('login.example'));
    if (poll === 'tokens') return Promise.resolve(Response.json({ access_token: 'a', token_type: 'Bearer' }));
    return Promise.resolve(Response.json({ error: poll ?? 'expired_token' }, { status: 400 }));
  };
}

it('the request names client, scope and server, and the person sees the page and the code', async () => {
  const rig = new Rig(['tokens']);
  expect(await rig.run()).toMatchObject({ access_token: 'a' });
  expect(rig.sent.map(({ body }) => Object.fromEntries(body))).toEqual([
    { client_id: 'c', scope: 'tools', resource: DEVICE.resource },
    {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: 'd',
      client_id: 'c',
      resource: DEVICE.resource,
    },
  ]);
  expect(rig.prompts).toEqual([
    {
      code: 'ABCD-EFGH',
      page: new URL(CODES.verification_uri),
      direct: new URL(CODES.verification_uri_complete),
      lifeMs: 1_800_000,
    },
  ]);
});

it('polls never come faster than the authorization server allows, and end with its answer', async () => {
  const poll = fc.constantFrom<Poll>('authorization_pending', 'slow_down', ...AWAY_POLLS);
  const interval = fc.option(fc.integer({ min: -5, max: 90 }), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(fc.array(poll, { maxLength: 20 }), interval, async (polls, seconds) => {
      const rig = new Rig([...polls, 'tokens'], { ...CODES, interval: seconds });
      await rig.run();
      let pause = Math.min(Math.max(1, seconds === undefined || seconds === 0 ? 5 : seconds), 60);
      for (const [index, { at }] of rig.sent.slice(1).entries()) {
        expect(at - (rig.sent[index]?.at ?? 0)).toBe(pause * 1000);
        if (polls[index] === 'slow_down') pause = Math.min(pause + 5, 60);
        if (AWAY.has(polls[index])) pause = Math.min(pause * 2, 60);
      }
    }),
  );
});

it.each<[string, Poll[], object, string]>([
  ['refused', ['authorization_pending', 'access_denied'], CODES, 'the login was refused (access_denied)'],
  ['at a forbidden address', ['authorization_pending', 'forbidden'], CODES, 'an address of a link-local'],
  ['expired there', [], CODES, 'the code expired before anyone entered it'],
  [
    'expired by the clock',
    Array<Poll>(9).fill('unreachable'),
    { ...CODES, expires_in: 7 },
    'the code expired',
  ],
  [
    'without a code for people',
    [],
    { ...CODES, user_code: 'a\u001B[2J' },
    'a code that a person cannot type',
  ],
  ['without a page', [], { ...CODES, verification_uri: 'javascript:x' }, 'has no page for codes of devices'],
  ['at a forbidden page', [], { ...CODES, verification_uri: 'http://169.254.1.1/' }, 'link-local'],
])('a login that is %s ends', async (_, polls, codes, message) => {
  await expect(new Rig(polls, codes).run()).rejects.toThrow(message);
});

it('a code that is not given is reported with the reason, and an insecure place gets nothing', async () => {
  const rig = new Rig([], { error: 'invalid_client' });
  await expect(rig.run()).rejects.toThrow('gives no code for a device: it answered 400 (invalid_client)');
  const insecure = new Rig([]);
  await expect(insecure.run({ ...DEVICE, endpoint: 'http://login.example/device' })).rejects.toThrow(
    'non-https',
  );
  expect(insecure.sent).toEqual([]);
});

it('a client with a secret shows it as at the token endpoint', async () => {
  const rig = new Rig(['tokens']);
  const metadata = { ...DEVICE.metadata, token_endpoint_auth_methods_supported: ['client_secret_post'] };
  await rig.run({ ...DEVICE, metadata, client: { client_id: 'c', client_secret: 's' } });
  expect(rig.sent.map(({ body }) => body.get('client_secret'))).toEqual(['s', 's']);
});
