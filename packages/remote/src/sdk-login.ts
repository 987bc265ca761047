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
import { normalizeIssuer } from './issuer.js';
import { runDeviceGrant } from './sdk-device-grant.js';
import { requestLoginChallenge } from './sdk-login-challenge.js';
import type { LoginInit, LoginProbe } from './login-init.js';
import type { Login } from './login-store.js';
import { LoginProvider } from './sdk-login-provider.js';
import { remoteEndpoint } from './remote-endpoint.js';
import { RemoteError } from './remote-error.js';
import { RemoteHttp } from './remote-http.js';
import type { Fetch } from './fetch.js';
import { normalizeDocuments } from './normalize-documents.js';
import { readLogin } from './stored-login.js';

/** Limits for reading documents from authorization servers, which are small. */
const DOCUMENT_LIMITS = { maxMessageBytes: 1024 * 1024, whenReadable: () => Promise.resolve() };

/** The maximum number of characters of an issuer in an error message. */
const MAX_ISSUER_LENGTH = 200;

/**
 * Logs in with the SDK, which implements discovery, registration, PKCE and the code exchange.
 *
 * @param reach determines to which hosts requests may be sent
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
  const http = new RemoteHttp(endpoint.url, DOCUMENT_LIMITS, { reach });
  let named: string | undefined;
  const onIssuer = (issuer: string): void => {
    named = issuer;
  };
  const fetchNamed = normalizeDocuments(fetchInTime(http.fetchNamedUrl, clock), onIssuer);
  const redactedUrl = redactUrl(endpoint.url.href);
  try {
    const challenge = await requestLoginChallenge(endpoint, probe, { fetch: http.fetch, clock });
    if (challenge.isPublic) await assertNeedsLogin(endpoint.url, init, fetchNamed);
    const provider = new LoginProvider(init);
    const scope = provider.scopeFor(challenge.scope);
    const options = {
      serverUrl: endpoint.url,
      fetchFn: fetchNamed,
      ...(challenge.resourceMetadataUrl && { resourceMetadataUrl: challenge.resourceMetadataUrl }),
      ...(scope !== undefined && { scope }),
    };
    // The grants to register depend on the grants that the authorization server supports.
    if (init.device !== undefined) provider.saveDiscoveryState(await discoverServer(endpoint.url, options));
    await auth(provider, options);
    const { deviceClient } = provider;
    if (deviceClient !== undefined && init.device !== undefined) {
      provider.saveTokens(
        await runDeviceGrant(provider, deviceClient, init.device, { fetch: fetchNamed, clock, reach }),
      );
      return requireTokens(provider, redactedUrl);
    }
    const { code, state, iss } = await init.authorize(requireLoginPage(provider, reach));
    if (state !== provider.expectedState)
      throw new RemoteError('the answer belongs to another login and was ignored');
    const issuer = iss === undefined ? {} : { iss: comparableIssuer(iss, named) };
    await auth(provider, { ...options, authorizationCode: code, ...issuer });
    return requireTokens(provider, redactedUrl);
  } catch (error) {
    // The SDK's message contains untrusted text from the server.
    if (error instanceof IssuerMismatchError) throw issuerMismatchError(error);
    throw toRemoteError(redactedUrl, error);
  } finally {
    http.destroy();
  }
}

async function discoverServer(
  url: URL,
  options: { readonly resourceMetadataUrl?: URL; readonly fetchFn: Fetch },
): Promise<OAuthDiscoveryState> {
  const { resourceMetadataUrl } = options;
  const state = await discoverOAuthServerInfo(url, options);
  return { ...state, ...(resourceMetadataUrl && { resourceMetadataUrl: resourceMetadataUrl.href }) };
}

function requireTokens({ login }: LoginProvider, redactedUrl: string): Login {
  if (login === undefined) throw new RemoteError(`mcpmux got no token for ${redactedUrl}`);
  return login;
}

/**
 * Returns a response's issuer in the form that the SDK compares with the metadata's issuer, which it receives without a
 * trailing slash. The original issuers must be equal byte for byte (RFC 9207, 2.4).
 */
function comparableIssuer(iss: string, named: string | undefined): string {
  if (named === undefined) return iss;
  if (iss === named) return normalizeIssuer(iss);
  return iss === normalizeIssuer(named) ? named : iss;
}

/** Creates the error for an authorization server that names two different issuers. */
function issuerMismatchError({ kind, expected, received }: IssuerMismatchError): RemoteError {
  const [right, wrong] = [describeIssuer(expected), describeIssuer(received)];
  if (kind === 'metadata')
    return new RemoteError(
      `the server names the authorization server ${right}, whose metadata name the issuer ${wrong}`,
      'The two must be equal (RFC 8414, 3.3). The operator of the server has to correct one of them.',
    );
  return new RemoteError(
    `the answer is from another authorization server and was ignored: it names the issuer ${wrong}, not ${right}`,
  );
}

function describeIssuer(issuer: string | undefined): string {
  if (issuer === undefined) return 'none';
  // Redaction can add a trailing slash to a URL, and a trailing slash may be the only difference between the issuers.
  return quote(/[@?#]/.test(issuer) ? redactUrl(issuer) : cutText(issuer, MAX_ISSUER_LENGTH));
}

/**
 * Checks that a server which has accepted all messages may still require a login for calls: it has rejected a call
 * before, or it publishes resource metadata. Throws if neither is true.
 */
async function assertNeedsLogin(url: URL, { previous }: LoginInit, fetch: Fetch): Promise<void> {
  if (readLogin(previous)?.wanted !== undefined) return;
  const metadata = await discoverOAuthProtectedResourceMetadata(url, {}, fetch).catch(() => undefined);
  if (metadata === undefined) throw new RemoteError(`${redactUrl(url.href)} answers without a login`);
}

/** Returns the URL of the login page named by the authorization server. It must be a web page at an allowed address. */
function requireLoginPage({ page }: LoginProvider, reach: AuthorizationReach): URL {
  if (page !== undefined && /^https?:$/.test(page.protocol)) {
    if (!reach.admits(page)) throw reach.refusal(page.host);
    return page;
  }
  throw new RemoteError('the authorization server has no login page');
}
