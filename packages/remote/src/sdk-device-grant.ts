import {
  assertSecureTokenEndpoint,
  type AuthorizationServerMetadata,
  fetchToken,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  OAuthError,
  type OAuthTokens,
  selectClientAuthMethod,
} from '@modelcontextprotocol/client';
import { type Clock, pause, redactUrl } from '@mcpmux/kit';
import { z } from '@mcpmux/kit/zod';

import type { AuthorizationReach } from './authorization-reach.js';
import { isNetworkError } from './describe-problem.js';
import type { Fetch } from './fetch.js';
import type { DevicePrompt } from './login-init.js';
import { AddressRefusedError, RemoteError } from './remote-error.js';

/** The grant type of RFC 8628. */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** The client and the authorization server of a device grant. */
export interface DeviceClient {
  readonly endpoint: string;
  readonly authorizationServer: string;
  readonly metadata: AuthorizationServerMetadata;
  readonly client: OAuthClientInformationMixed;
  readonly resource: string | undefined;
  readonly scope: string | undefined;
}

/** Sends the requests of a device grant. */
export interface DeviceTools {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly reach: AuthorizationReach;
}

const SECOND_MS = 1000;
/** The bounds of the pause between two requests for the tokens. RFC 8628 has 5 seconds if the server names none. */
const PAUSE_MS = { usual: 5 * SECOND_MS, more: 5 * SECOND_MS, least: SECOND_MS, most: 60 * SECOND_MS };
const MAX_LIFE_MS = 30 * 60 * SECOND_MS;

/** The answer of the device authorization endpoint (RFC 8628, 3.2). */
const schema = z.looseObject({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  verification_uri_complete: z.optional(z.string()),
  expires_in: z.number(),
  interval: z.optional(z.number()),
});

/**
 * Gets tokens by the device grant (RFC 8628): a person opens a page on any device and enters a code, and meanwhile the
 * authorization server is asked for the tokens, never more often than it allows.
 *
 * @throws RemoteError if the person refuses, or does not answer before the code expires
 */
export async function deviceGrant(
  provider: OAuthClientProvider,
  device: DeviceClient,
  show: (prompt: DevicePrompt) => void,
  tools: DeviceTools,
): Promise<OAuthTokens> {
  const { clock, reach } = tools;
  const asked = clock.now();
  const { device_code: code, ...named } = schema.parse(await authorization(device, tools));
  const lifeMs = Math.min(named.expires_in * SECOND_MS, MAX_LIFE_MS);
  const { user_code: userCode, verification_uri: uri, verification_uri_complete: whole } = named;
  if (!/^[ -~]{1,64}$/.test(userCode))
    throw new RemoteError('the authorization server gives a code that a person cannot type');
  const direct = whole === undefined ? {} : { direct: pageAt(whole, reach) };
  show({ code: userCode, page: pageAt(uri, reach), ...direct, lifeMs });
  provider.prepareTokenRequest = () =>
    new URLSearchParams({
      grant_type: DEVICE_GRANT,
      device_code: code,
      ...(device.resource !== undefined && { resource: device.resource }),
    });
  let pauseMs = inBounds((named.interval ?? 0) * SECOND_MS || PAUSE_MS.usual);
  for (;;) {
    await pause(pauseMs, clock);
    if (clock.now() - asked >= lifeMs)
      throw new RemoteError('the code expired before anyone entered it', ANEW);
    const answer = await tokensOf(provider, device, tools);
    if (typeof answer !== 'string') return answer;
    if (answer === 'slow_down') pauseMs = inBounds(pauseMs + PAUSE_MS.more);
    else if (answer === 'unreachable') pauseMs = inBounds(pauseMs * 2);
  }
}

const ANEW = 'Run the command again to get another code.';

function inBounds(ms: number): number {
  return Math.min(Math.max(ms, PAUSE_MS.least), PAUSE_MS.most);
}

/** Requests the codes. */
async function authorization(
  { endpoint, metadata, client, resource, scope }: DeviceClient,
  { fetch }: DeviceTools,
): Promise<unknown> {
  const url = assertSecureTokenEndpoint(endpoint);
  const body = new URLSearchParams({
    ...(scope !== undefined && { scope }),
    ...(resource !== undefined && { resource }),
  });
  const headers = new Headers({
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
  });
  authenticate(client, metadata, { headers, body });
  const response = await fetch(url, { method: 'POST', headers, body: body.toString() });
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok) return answer;
  const error = typeof answer === 'object' && answer !== null && 'error' in answer ? answer.error : undefined;
  const why = typeof error === 'string' && /^\w{1,40}$/.test(error) ? ` (${error})` : '';
  throw new RemoteError(
    `${redactUrl(url.href)} gives no code for a device: it answered ${response.status}${why}`,
    'Use another way to log in, such as a browser on this machine.',
  );
}

/** Adds the credentials of the client, as at the token endpoint (RFC 8628, 3.1). */
function authenticate(
  client: OAuthClientInformationMixed,
  { token_endpoint_auth_methods_supported: methods = [] }: AuthorizationServerMetadata,
  { headers, body }: { readonly headers: Headers; readonly body: URLSearchParams },
): void {
  const { client_id: id, client_secret: secret } = client;
  const method = selectClientAuthMethod(client, methods);
  if (method === 'client_secret_basic' && secret !== undefined)
    return headers.set('authorization', `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`);
  body.set('client_id', id);
  if (method === 'client_secret_post' && secret !== undefined) body.set('client_secret', secret);
}

/** Resolves with the tokens, or with the reason to ask again. */
async function tokensOf(
  provider: OAuthClientProvider,
  { authorizationServer, metadata }: DeviceClient,
  { fetch }: DeviceTools,
): Promise<OAuthTokens | 'pending' | 'slow_down' | 'unreachable'> {
  try {
    return await fetchToken(provider, authorizationServer, { metadata, fetchFn: fetch });
  } catch (error) {
    // RFC 8628, 3.5: a client that gets no answer has to ask less often.
    if (error instanceof AddressRefusedError) throw error;
    if (error instanceof RemoteError || isNetworkError(error)) return 'unreachable';
    if (!(error instanceof OAuthError)) throw error;
    switch (error.code) {
      case 'authorization_pending':
        return 'pending';
      case 'slow_down':
        return 'slow_down';
      case 'access_denied':
        throw new RemoteError('the login was refused (access_denied)', ANEW);
      case 'expired_token':
        throw new RemoteError('the code expired before anyone entered it', ANEW);
      default:
        throw error;
    }
  }
}

/** Returns a page that the authorization server chose, if it is a web page that the rules allow. */
function pageAt(text: string, reach: AuthorizationReach): URL {
  const page = URL.canParse(text) ? new URL(text) : undefined;
  if (page === undefined || !/^https?:$/.test(page.protocol))
    throw new RemoteError('the authorization server has no page for codes of devices');
  if (!reach.admits(page)) throw reach.refusal(page.host);
  return page;
}
