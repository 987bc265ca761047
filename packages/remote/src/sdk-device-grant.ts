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

/** The HTTP client and clock for a device grant. */
export interface DeviceGrantTools {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly reach: AuthorizationReach;
}

const SECOND_MS = 1000;
/** Polling intervals: the default and the increment (both from RFC 8628), and the lower and upper bounds. */
const POLL_PAUSES_MS = { usual: 5 * SECOND_MS, more: 5 * SECOND_MS, least: SECOND_MS, most: 60 * SECOND_MS };
const MAX_LIFE_MS = 30 * 60 * SECOND_MS;

/** The response of the device authorization endpoint (RFC 8628, 3.2). */
const deviceResponseSchema = z.looseObject({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  verification_uri_complete: z.optional(z.string()),
  expires_in: z.number(),
  interval: z.optional(z.number()),
});

/**
 * Obtains tokens with the device grant (RFC 8628): a person opens a page on any device and enters a code, while mcpmux
 * polls the authorization server, no more often than the server allows.
 *
 * @throws RemoteError if the person denies access, or does not enter the code before it expires
 */
export async function runDeviceGrant(
  provider: OAuthClientProvider,
  device: DeviceClient,
  showPrompt: (prompt: DevicePrompt) => void,
  tools: DeviceGrantTools,
): Promise<OAuthTokens> {
  const { clock, reach } = tools;
  const startedAt = clock.now();
  const { device_code: code, ...named } = deviceResponseSchema.parse(await requestCodes(device, tools));
  const lifeMs = Math.min(named.expires_in * SECOND_MS, MAX_LIFE_MS);
  const { user_code: userCode, verification_uri: uri, verification_uri_complete: completeUri } = named;
  if (!/^[ -~]{1,64}$/.test(userCode))
    throw new RemoteError('the authorization server gives a code that a person cannot type');
  const direct = completeUri === undefined ? {} : { direct: requireAllowedPage(completeUri, reach) };
  showPrompt({ code: userCode, page: requireAllowedPage(uri, reach), ...direct, lifeMs });
  provider.prepareTokenRequest = () =>
    new URLSearchParams({
      grant_type: DEVICE_GRANT,
      device_code: code,
      ...(device.resource !== undefined && { resource: device.resource }),
    });
  let pauseMs = clampPause((named.interval ?? 0) * SECOND_MS || POLL_PAUSES_MS.usual);
  for (;;) {
    await pause(pauseMs, clock);
    if (clock.now() - startedAt >= lifeMs)
      throw new RemoteError('the code expired before anyone entered it', RUN_AGAIN_ADVICE);
    const answer = await requestTokens(provider, device, tools);
    if (typeof answer !== 'string') return answer;
    if (answer === 'slow_down') pauseMs = clampPause(pauseMs + POLL_PAUSES_MS.more);
    else if (answer === 'unreachable') pauseMs = clampPause(pauseMs * 2);
  }
}

const RUN_AGAIN_ADVICE = 'Run the command again to get another code.';

function clampPause(ms: number): number {
  return Math.min(Math.max(ms, POLL_PAUSES_MS.least), POLL_PAUSES_MS.most);
}

/** Requests the device code and the user code. */
async function requestCodes(
  { endpoint, metadata, client, resource, scope }: DeviceClient,
  { fetch }: DeviceGrantTools,
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
  addClientCredentials(client, metadata, { headers, body });
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

/** Adds the client's credentials, as in a request to the token endpoint (RFC 8628, 3.1). */
function addClientCredentials(
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

/** Resolves to the tokens, or to the reason to poll again. */
async function requestTokens(
  provider: OAuthClientProvider,
  { authorizationServer, metadata }: DeviceClient,
  { fetch }: DeviceGrantTools,
): Promise<OAuthTokens | 'pending' | 'slow_down' | 'unreachable'> {
  try {
    return await fetchToken(provider, authorizationServer, { metadata, fetchFn: fetch });
  } catch (error) {
    // A client that gets no response must poll less often (RFC 8628, 3.5).
    if (error instanceof AddressRefusedError) throw error;
    if (error instanceof RemoteError || isNetworkError(error)) return 'unreachable';
    if (!(error instanceof OAuthError)) throw error;
    switch (error.code) {
      case 'authorization_pending':
        return 'pending';
      case 'slow_down':
        return 'slow_down';
      case 'access_denied':
        throw new RemoteError('the login was refused (access_denied)', RUN_AGAIN_ADVICE);
      case 'expired_token':
        throw new RemoteError('the code expired before anyone entered it', RUN_AGAIN_ADVICE);
      default:
        throw error;
    }
  }
}

/** Returns the URL of a page named by the authorization server. It must be a web page at an allowed address. */
function requireAllowedPage(text: string, reach: AuthorizationReach): URL {
  const page = URL.canParse(text) ? new URL(text) : undefined;
  if (page === undefined || !/^https?:$/.test(page.protocol))
    throw new RemoteError('the authorization server has no page for codes of devices');
  if (!reach.admits(page)) throw reach.refusal(page.host);
  return page;
}
