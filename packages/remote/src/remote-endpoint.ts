import { validateHeaderName, validateHeaderValue } from 'node:http';

import { MuxError } from '@mcpmux/kit';

import type { SessionLogin } from './login-store.js';

/** A remote server's transport. `auto` tries Streamable HTTP, then the deprecated SSE transport. */
export type RemoteTransportKind = 'auto' | 'http' | 'sse';

/** An organization's identity provider, which issues grants for servers (ID-JAG). */
export interface IdentityProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  /** The user's ID token from the organization's identity provider. */
  readonly idToken: string;
}

/**
 * mcpmux's credentials at an authorization server (OAuth 2.1): either a secret or a key that signs assertions
 * (`private_key_jwt`). The tokens belong to mcpmux itself, or to the user of the identity provider if there is one.
 */
export interface ClientCredentials {
  /** The authorization server's issuer URL. The secret goes to no other issuer, even if the server names one. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  /** The private key to use instead of a secret, as PEM or as the JSON text of a JWK. */
  readonly privateKey?: string;
  /** The signature algorithm, such as `PS256`. Defaults to an algorithm for the type of key. */
  readonly algorithm?: string;
  /** The identity provider whose grant is exchanged for tokens (SEP-990). Requires `clientSecret`. */
  readonly identity?: IdentityProvider;
  /** The scopes to request, separated by spaces. Defaults to the scopes that the server names. */
  readonly scope?: string;
}

/** The header with the id of the mux that sends a request. A mux that receives its own id is connected to itself. */
export const INSTANCE_HEADER = 'mcpmux-instance';

/** The validated settings of a remote server. */
export interface RemoteEndpoint {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly transport: RemoteTransportKind;
  readonly clientCredentials?: ClientCredentials | undefined;
  /** The user's login to the server, if any. */
  readonly login?: SessionLogin | undefined;
  /** True if the host name must resolve to public internet addresses. */
  readonly publicOnly?: boolean | undefined;
}

/** Headers that only the transport may set. Configured values would break it. */
const RESERVED_HEADERS = new Set([
  'accept',
  'connection',
  'content-length',
  'content-type',
  'host',
  'last-event-id',
  'mcp-protocol-version',
  'mcp-session-id',
  'transfer-encoding',
]);

/**
 * Validates the URL and the headers of a server.
 *
 * @throws MuxError INVALID_CONFIG, whose message contains neither the URL nor header values
 */
export function remoteEndpoint(
  text: string,
  headers: Readonly<Record<string, string>> = {},
  transport: RemoteTransportKind = 'auto',
): RemoteEndpoint {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw new MuxError('INVALID_CONFIG', 'url must be an address that begins with http:// or https://.');
  url.hash = '';
  for (const [name, value] of Object.entries(headers)) {
    const problem = headerProblem(name, value);
    if (problem !== undefined)
      throw new MuxError('INVALID_CONFIG', `headers: ${JSON.stringify(name)} ${problem}.`);
  }
  return { url, headers, transport };
}

function headerProblem(name: string, value: string): string | undefined {
  if (RESERVED_HEADERS.has(name.toLowerCase())) return 'is set by mcpmux itself';
  try {
    validateHeaderName(name);
  } catch {
    return 'is not a valid header name';
  }
  try {
    validateHeaderValue(name, value);
  } catch {
    return 'has a value with characters that headers do not allow';
  }
  return undefined;
}
