import type { IncomingMessage, ServerResponse } from 'node:http';

import { ANYBODY, type Principal } from '@mcpmux/core';
import type { Refusal } from './refusal.js';
import type { RequestHeaders } from './request-headers.js';
import type { Credentials } from '../auth/credentials.js';
import type { FailedAttempts } from '../auth/failed-attempts.js';
import type { ResourceMetadata } from '../auth/resource-metadata.js';

/** The rules for admitting requests. */
export interface EntranceRules {
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
  /** If undefined, every client that can connect to the port is admitted. */
  readonly credentials: Credentials | undefined;
  readonly failedAttempts: FailedAttempts;
  /** The resource metadata, which lists the authorization servers for clients. */
  readonly metadata?: ResourceMetadata | undefined;
}

/** Query parameters in which some clients send tokens. Requests with them are rejected, because URLs may be logged. */
const TOKEN_PARAMETERS: ReadonlySet<string> = new Set([
  'access_token',
  'token',
  'api_key',
  'apikey',
  'key',
  'authorization',
]);

/** Returns the error response to a request with a repeated header, or with a `Host` or `Origin` that is not allowed. */
export function hostRefusal(headers: RequestHeaders, { hosts, origins }: EntranceRules): Refusal | undefined {
  const { repeatedHeader } = headers;
  if (repeatedHeader === 'origin')
    return { status: 403, message: 'The header Origin was sent more than once.' };
  if (repeatedHeader !== undefined)
    return { status: 400, message: `The header ${repeatedHeader} was sent more than once.` };
  const host = headers.get('host') ?? '';
  const origin = headers.get('origin');
  if (!hosts.has(host.toLowerCase())) {
    const message =
      'This value of the header Host is not allowed. To allow it, start mcpmux with --allow-host NAME.';
    return { status: 403, message };
  }
  if (origin !== undefined && !origins.has(origin.toLowerCase())) {
    const message = 'This Origin is not allowed. To allow it, start mcpmux with --allow-origin ORIGIN.';
    return { status: 403, message };
  }
  return undefined;
}

/** The parts of a request that are available before its principal is known. */
export interface EntranceRequest {
  readonly headers: RequestHeaders;
  readonly url: URL;
  /** Returns the address from which the request was sent. */
  readonly sourceAddress: () => string | undefined;
}

/** The principal that sent a request, or the error response. */
export type Identity = { readonly principal: Principal } | { readonly refusal: Refusal };

const ANONYMOUS: Identity = { principal: ANYBODY };

/** Returns the principal that sent a request, or the error response if the principal is unknown. */
export function identityOf(request: EntranceRequest, rules: EntranceRules): Identity | Promise<Identity> {
  const { headers, url } = request;
  if (url.search !== '' && [...url.searchParams.keys()].some(isTokenParameter)) {
    const message = 'A URL must not contain a token. Send it in the header Authorization: Bearer TOKEN.';
    return { refusal: { status: 400, message } };
  }
  const { credentials } = rules;
  if (credentials === undefined) return ANONYMOUS;
  const identify = (principal: Principal | undefined): Identity =>
    principal === undefined ? { refusal: unauthorizedRefusal(request, rules) } : { principal };
  const principal = credentials.principalOf(headers.get('authorization'));
  return principal instanceof Promise ? principal.then(identify) : identify(principal);
}

function isTokenParameter(name: string): boolean {
  return TOKEN_PARAMETERS.has(name.toLowerCase());
}

/**
 * Returns the error response for a caller without an accepted token. Requests with accepted tokens are never limited.
 */
function unauthorizedRefusal(
  { headers, sourceAddress }: EntranceRequest,
  { failedAttempts, metadata }: EntranceRules,
): Refusal {
  const waitSeconds = failedAttempts.recordAttempt(sourceAddress());
  if (waitSeconds > 0) {
    const message = 'This address has sent too many requests without an accepted token. Try again later.';
    return { status: 429, message, headers: { 'retry-after': String(waitSeconds) } };
  }
  const authorization = headers.get('authorization');
  const message = rejectionMessage(authorization);
  const challenge = [
    'Bearer realm="mcpmux"',
    ...(authorization === undefined ? [] : ['error="invalid_token"']),
    ...(metadata === undefined ? [] : [metadata.challengeParameter]),
  ].join(', ');
  return { status: 401, message, headers: { 'www-authenticate': challenge } };
}

/** Returns the same message for every rejected token, because differences would help an attacker guess tokens. */
function rejectionMessage(authorization: string | undefined): string {
  if (authorization === undefined) return 'A token is required: send the header Authorization: Bearer TOKEN.';
  return /^Bearer +\S+$/i.test(authorization)
    ? 'This token is not accepted: it is wrong, has expired or is meant for another server.'
    : 'The header Authorization holds no bearer token: send Authorization: Bearer TOKEN.';
}

const CORS_REQUEST_HEADERS =
  'accept, authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id';
/** Matches headers that repeat tool arguments. Servers choose the names of these headers. */
const PARAMETER_HEADER = /^mcp-param-[!#$%&'*+.^_`|~\w-]+$/;
const EXPOSED_HEADERS = 'mcp-session-id, www-authenticate';
const PREFLIGHT_MAX_AGE_SECONDS = '600';

/** Allows a web page to read the response. The page's `Origin` must already have been checked. */
export function setCorsHeaders(origin: string | undefined, response: ServerResponse): void {
  if (origin === undefined) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', EXPOSED_HEADERS);
  response.setHeader('vary', 'origin');
}

/** Responds to the preflight request that a browser sends before a page may send custom headers. */
export function answerPreflight(request: IncomingMessage, response: ServerResponse): void {
  const requested = request.headers['access-control-request-headers'] ?? '';
  const parameters = requested
    .split(',')
    .map((name) => name.trim())
    .filter((name) => PARAMETER_HEADER.test(name));
  response.writeHead(204, {
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': [CORS_REQUEST_HEADERS, ...parameters].join(', '),
    'access-control-max-age': PREFLIGHT_MAX_AGE_SECONDS,
  });
  response.end();
}
