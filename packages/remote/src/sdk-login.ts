import {
  auth,
  discoverOAuthProtectedResourceMetadata,
  discoverOAuthServerInfo,
  IssuerMismatchError,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/client';
import { type Clock, cutText, quote, redactUrl, systemClock } from '@mcpmux/kit';

import { AuthorizationReach } from './authorization-reach.js';
import { toRemoteError } from './describe-problem.js';
import { fetchInTime } from './fetch-in-time.js';
import { soundIssuer } from './issuer.js';
import { deviceGrant } from './sdk-device-grant.js';
import { loginChallenge } from './sdk-login-challenge.js';
import type { LoginInit, LoginProbe } from './login-init.js';
import type { Login } from './login-store.js';
import { LoginProvider } from './sdk-login-provider.js';
import { remoteEndpoint } from './remote-endpoint.js';
import { RemoteError } from './remote-error.js';
import { RemoteHttp } from './remote-http.js';
import type { Fetch } from './fetch.js';
import { soundDocuments } from './sound-documents.js';
import { readLogin } from './stored-login.js';

/** The maximum document size. Documents from authorization servers are small. */
const BODY = { maxMessageBytes: 1024 * 1024, whenReadable: () => Promise.resolve() };

/** The number of characters of an issuer that a message contains. */
const MAX_ISSUER = 200;

/**
 * {@link logIn} with the SDK, which does the discovery, the registration, PKCE and the code exchange.
 *
 * @param reach the hosts that the authorization server may use
 */
export async function sdkLogin(
  init: LoginInit,
  probe: LoginProbe,
  {
    clock = systemClock,
    reach = new AuthorizationReach(),
  }: { readonly clock?: Clock; readonly reach?: AuthorizationReach } = {},
): Promise<Login> {
  const endpoint = remoteEndpoint(init.url, init.headers);
  const http = new RemoteHttp(endpoint.url, BODY, { reach });
  let named: string | undefined;
  const onIssuer = (issuer: string): void => {
    named = issuer;
  };
  const fetchNamed = soundDocuments(fetchInTime(http.fetchNamed, clock), onIssuer);
  const where = redactUrl(endpoint.url.href);
  try {
    const challenge = await loginChallenge(endpoint, probe, { fetch: http.fetch, clock });
    if (challenge.isOpen) await requireLogin(endpoint.url, init, fetchNamed);
    const provider = new LoginProvider(init);
    const scope = provider.scopeFor(challenge.scope);
    const options = {
      serverUrl: endpoint.url,
      fetchFn: fetchNamed,
      ...(challenge.resourceMetadataUrl && { resourceMetadataUrl: challenge.resourceMetadataUrl }),
      ...(scope !== undefined && { scope }),
    };
    // The registration of the client depends on the grants that the authorization server offers.
    if (init.device !== undefined) provider.saveDiscoveryState(await discover(endpoint.url, options));
    await auth(provider, options);
    const { device } = provider;
    if (device !== undefined && init.device !== undefined) {
      provider.saveTokens(
        await deviceGrant(provider, device, init.device, { fetch: fetchNamed, clock, reach }),
      );
      return loginOf(provider, where);
    }
    const { code, state, iss } = await init.authorize(pageOf(provider, reach));
    if (state !== provider.ownState)
      throw new RemoteError('the answer belongs to another login and was ignored');
    const issuer = iss === undefined ? {} : { iss: comparableIssuer(iss, named) };
    await auth(provider, { ...options, authorizationCode: code, ...issuer });
    return loginOf(provider, where);
  } catch (error) {
    // The server chose the rest of the message.
    if (error instanceof IssuerMismatchError) throw otherIssuer(error);
    throw toRemoteError(where, error);
  } finally {
    http.destroy();
  }
}

async function discover(
  url: URL,
  options: { readonly resourceMetadataUrl?: URL; readonly fetchFn: Fetch },
): Promise<OAuthDiscoveryState> {
  const { resourceMetadataUrl } = options;
  const state = await discoverOAuthServerInfo(url, options);
  return { ...state, ...(resourceMetadataUrl && { resourceMetadataUrl: resourceMetadataUrl.href }) };
}

function loginOf({ login }: LoginProvider, where: string): Login {
  if (login === undefined) throw new RemoteError(`mcpmux got no token for ${where}`);
  return login;
}

/**
 * Returns the issuer of a response in the form that the SDK compares it with: the SDK gets the issuer of the metadata
 * without its trailing slash. The two must match byte for byte (RFC 9207, 2.4).
 */
function comparableIssuer(iss: string, named: string | undefined): string {
  if (named === undefined) return iss;
  if (iss === named) return soundIssuer(iss);
  return iss === soundIssuer(named) ? named : iss;
}

/** Returns the error for two names of an authorization server that are not equal. */
function otherIssuer({ kind, expected, received }: IssuerMismatchError): RemoteError {
  const [right, wrong] = [shownIssuer(expected), shownIssuer(received)];
  if (kind === 'metadata')
    return new RemoteError(
      `the server names the authorization server ${right}, whose metadata name the issuer ${wrong}`,
      'The two must be equal (RFC 8414, 3.3). The operator of the server has to correct one of them.',
    );
  return new RemoteError(
    `the answer is from another authorization server and was ignored: it names the issuer ${wrong}, not ${right}`,
  );
}

function shownIssuer(issuer: string | undefined): string {
  if (issuer === undefined) return 'none';
  // Redaction adds a trailing slash to a URL, and that may be the difference.
  return quote(/[@?#]/.test(issuer) ? redactUrl(issuer) : cutText(issuer, MAX_ISSUER));
}

/**
 * Checks that a server requires a login. A server may refuse only calls. In that case an earlier call was refused, or
 * the server names an authorization server.
 */
async function requireLogin(url: URL, { previous }: LoginInit, fetch: Fetch): Promise<void> {
  if (readLogin(previous)?.wanted !== undefined) return;
  const metadata = await discoverOAuthProtectedResourceMetadata(url, {}, fetch).catch(() => undefined);
  if (metadata === undefined) throw new RemoteError(`${redactUrl(url.href)} answers without a login`);
}

/** Returns the login page. The authorization server chose its URL, so it must be a web page that the rules allow. */
function pageOf({ page }: LoginProvider, reach: AuthorizationReach): URL {
  if (page !== undefined && /^https?:$/.test(page.protocol)) {
    if (!reach.admits(page)) throw reach.refusal(page.host);
    return page;
  }
  throw new RemoteError('the authorization server has no login page');
}
