import type { IncomingMessage } from 'node:http';

import type { Principal } from '@mcpmux/core';

import type { Refusal } from './refusal.js';
import { ANYBODY, type Credentials } from '../auth/credentials.js';
import type { FailedAttempts } from '../auth/failed-attempts.js';
import type { ResourceMetadata } from '../auth/resource-metadata.js';

/** Who is let in. */
export interface EntranceRules {
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
  /** Undefined: whoever can reach the port may come in. */
  readonly credentials: Credentials | undefined;
  readonly attempts: FailedAttempts;
  /** Tells clients where they get tokens. */
  readonly metadata?: ResourceMetadata | undefined;
}

/** Headers of which one more would be read by some and not by others. */
const SINGLE = [
  'host',
  'origin',
  'authorization',
  'mcp-session-id',
  'mcp-protocol-version',
  'last-event-id',
] as const;

/** Names under which clients are known to put tokens into URLs, which end up in logs. */
const TOKEN_PARAMETERS: ReadonlySet<string> = new Set([
  'access_token',
  'token',
  'api_key',
  'apikey',
  'key',
  'authorization',
]);

/** Looks at what came in the headers of a request, before anything of its body is read. */
export function nameCheck(request: IncomingMessage, { hosts, origins }: EntranceRules): Refusal | undefined {
  const twice = SINGLE.find((name) => (request.headersDistinct[name]?.length ?? 0) > 1);
  if (twice === 'origin') return { status: 403, message: 'The header Origin was sent more than once.' };
  if (twice !== undefined) return { status: 400, message: `The header ${twice} was sent more than once.` };
  const { host = '', origin } = request.headers;
  if (!hosts.has(host.toLowerCase())) {
    const message =
      'This Host is not served. If it is a name of this server, allow it with --allow-host NAME.';
    return { status: 403, message };
  }
  if (origin !== undefined && !origins.has(origin.toLowerCase())) {
    const message = 'Pages of this Origin are not served. To allow them: --allow-origin ORIGIN.';
    return { status: 403, message };
  }
  return undefined;
}

/** Who sends a request, or why nobody knows. */
export async function principalOf(
  request: IncomingMessage,
  url: URL,
  rules: EntranceRules,
): Promise<{ readonly principal: Principal } | { readonly refusal: Refusal }> {
  if ([...url.searchParams.keys()].some((name) => TOKEN_PARAMETERS.has(name.toLowerCase()))) {
    const message = 'A token does not belong into a URL. Send it in the header Authorization: Bearer TOKEN.';
    return { refusal: { status: 400, message } };
  }
  const { credentials } = rules;
  if (credentials === undefined) return { principal: ANYBODY };
  const principal = await credentials.principalOf(request.headers.authorization);
  return principal === undefined ? { refusal: unknownCaller(request, rules) } : { principal };
}

/** Whoever guesses has to wait; those who have a token do not. */
function unknownCaller(request: IncomingMessage, { attempts, metadata }: EntranceRules): Refusal {
  const waitSeconds = attempts.note(request.socket.remoteAddress);
  if (waitSeconds > 0) {
    const message = 'Too many requests without a token that is accepted came from there.';
    return { status: 429, message, headers: { 'retry-after': String(waitSeconds) } };
  }
  const message = 'A token is required: send the header Authorization: Bearer TOKEN.';
  const challenge = [
    'Bearer realm="mcpmux"',
    ...(request.headers.authorization === undefined ? [] : ['error="invalid_token"']),
    ...(metadata === undefined ? [] : [metadata.challenge]),
  ].join(', ');
  return { status: 401, message, headers: { 'www-authenticate': challenge } };
}
