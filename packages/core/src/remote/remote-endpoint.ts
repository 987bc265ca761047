import { validateHeaderName, validateHeaderValue } from 'node:http';

import { MuxError } from '../base/errors.js';
import type { SessionLogin } from './login-store.js';

/** How a server at a url is spoken to: `auto` tries Streamable HTTP, then the deprecated SSE transport. */
export type RemoteTransportKind = 'auto' | 'http' | 'sse';

/** How mcpmux shows an authorization server who it is, by itself (OAuth 2.1, client credentials). */
export interface ClientCredentials {
  /** The authorization server, by its issuer url: no other one is sent the secret, whatever the server says. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Scopes, separated by spaces; what the server asks for when absent. */
  readonly scope?: string;
}

/** A server at a url, checked. */
export interface RemoteEndpoint {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly transport: RemoteTransportKind;
  readonly clientCredentials?: ClientCredentials | undefined;
  /** The login of the user that it is reached with, if there is one. */
  readonly login?: SessionLogin | undefined;
  /** Its host name must lead to addresses of the public internet. */
  readonly isPublic?: boolean | undefined;
}

/** Headers that the transport sets; whoever sets them too breaks it. */
const OWN_HEADERS = new Set([
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
 * Checks where a server is and what is sent along.
 *
 * @throws MuxError INVALID_CONFIG, without the url and without values of headers
 */
export function remoteEndpoint(
  text: string,
  headers: Readonly<Record<string, string>> = {},
  transport: RemoteTransportKind = 'auto',
): RemoteEndpoint {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw new MuxError('INVALID_CONFIG', 'url is no address that begins with http:// or https://.');
  url.hash = '';
  for (const [name, value] of Object.entries(headers)) {
    const problem = headerProblem(name, value);
    if (problem !== undefined)
      throw new MuxError('INVALID_CONFIG', `headers: ${JSON.stringify(name)} ${problem}.`);
  }
  return { url, headers, transport };
}

function headerProblem(name: string, value: string): string | undefined {
  if (OWN_HEADERS.has(name.toLowerCase())) return 'is set by mcpmux itself';
  try {
    validateHeaderName(name);
  } catch {
    return 'is no name of a header';
  }
  try {
    validateHeaderValue(name, value);
  } catch {
    return 'has a value with characters that no header can hold';
  }
  return undefined;
}
