import { STATUS_CODES } from 'node:http';

import { errorCodeOf, isRecord, messageOf } from '@mcpmux/kit';

import type { RefusalDetail } from './refusal-detail.js';
import { RemoteError } from './remote-error.js';

const CHECK_URL_ADVICE = 'Check the url: it must be the url of the MCP endpoint, which often ends in /mcp.';
const CHECK_CLIENT_ADVICE =
  'Check the client id, secret and scope, and that the authorization server knows them.';
/** The names of the SDK's errors for failed authorization. */
const AUTHORIZATION_ERROR_NAMES = new Set([
  'OAuthError',
  'UnauthorizedError',
  'OAuthClientFlowError',
  'InsufficientScopeError',
]);
const TRY_LATER_ADVICE = 'Try again later.';
const CREDENTIALS_ADVICE =
  'The server needs valid credentials. Add it with "headers" such as {"Authorization": "Bearer ..."}. If it needs a login in ' +
  'a browser, the user must add it to the config (mcpmux add NAME URL) and log in (mcpmux login NAME).';

/** The problem and the advice for each network error code. */
const NETWORK_ERRORS: Readonly<Record<string, readonly [problem: string, advice: string]>> = {
  ECONNREFUSED: [
    'refuses connections',
    'Start the server, or check host and port of the url; then try again.',
  ],
  ECONNRESET: ['closed the connection before it answered', TRY_LATER_ADVICE],
  EPIPE: ['closed the connection before it answered', TRY_LATER_ADVICE],
  ENOTFOUND: ['has a host name that does not exist', 'Check the host name of the url.'],
  EAI_AGAIN: ['has a host name that cannot be looked up now', 'Check the network, then try again.'],
  ETIMEDOUT: ['cannot be reached: the connection timed out', TRY_LATER_ADVICE],
  EHOSTUNREACH: ['is on a host that cannot be reached', 'Check the network, then try again.'],
  ENETUNREACH: ['is in a network that cannot be reached', 'Check the network, then try again.'],
};
const TLS_ERROR_CODES =
  /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|EPROTO)/;

/** Creates the error for a response with this status. The detail, if any, is from the response's body. */
export function statusError(server: string, status: number, { text, code }: RefusalDetail = {}): RemoteError {
  const name = STATUS_CODES[status];
  const detail = text === undefined ? '' : ` (${text})`;
  const problem = `${server} answered ${status}${name === undefined ? '' : ` ${name}`}${detail}`;
  return new RemoteError(problem, statusAdvice(status), status, code);
}

/** Creates the error for a request without a response. Describes network errors, and quotes any other error. */
export function toRemoteError(server: string, error: unknown): RemoteError {
  if (error instanceof RemoteError) return error;
  const code = systemCode(error);
  const networkProblem = NETWORK_ERRORS[code];
  if (networkProblem !== undefined)
    return new RemoteError(`${server} ${networkProblem[0]} (${code})`, networkProblem[1]);
  if (TLS_ERROR_CODES.test(code)) {
    const advice =
      'Renew the certificate, or let mcpmux trust its authority with NODE_EXTRA_CA_CERTS; check that the server speaks https.';
    return new RemoteError(`the TLS connection to ${server} failed (${code})`, advice);
  }
  if (error instanceof Error && AUTHORIZATION_ERROR_NAMES.has(error.name))
    return new RemoteError(`mcpmux got no token for ${server}: ${error.message}`, CHECK_CLIENT_ADVICE, 401);
  const [issue] = isRecord(error) && Array.isArray(error['issues']) ? (error['issues'] as unknown[]) : [];
  if (isRecord(issue) && Array.isArray(issue['path']))
    return new RemoteError(
      `a document of the authorization server of ${server} is not valid: ${issue['path'].join('.')}: ${String(issue['message'])}`,
      'The operator of the authorization server has to correct it.',
    );
  return new RemoteError(`${server}: ${messageOf(error)}`, CHECK_URL_ADVICE);
}

/** True for a network error that may be temporary, so that the next request may succeed. */
export function isNetworkError(error: unknown): boolean {
  return Object.hasOwn(NETWORK_ERRORS, systemCode(error));
}

function systemCode(error: unknown): string {
  return errorCodeOf(error) ?? errorCodeOf(error instanceof Error ? error.cause : undefined) ?? '';
}

/** Creates the error for a response that did not arrive within the time limit. */
export function timeoutError(server: string, limitMs: number): RemoteError {
  return new RemoteError(`${server} has not answered within ${limitMs / 1000} seconds`, TRY_LATER_ADVICE);
}

/**
 * Creates the error for a response that is not MCP, such as a login page, or a page from a proxy or another program.
 */
export function contentTypeError(server: string, status: number, contentType: string | null): RemoteError {
  const kind = contentType === null ? 'without a type' : `of type ${contentType.split(';', 1)[0]}`;
  const what = contentType?.startsWith('text/html') === true ? 'an HTML page' : `content ${kind}`;
  return new RemoteError(`${server} answered with ${what} instead of MCP`, CHECK_URL_ADVICE, status);
}

function statusAdvice(status: number): string {
  if (status === 401) return CREDENTIALS_ADVICE;
  if (status === 403) return 'The credentials do not permit this request. Use other credentials.';
  if (status === 404 || status === 405 || status === 410) return CHECK_URL_ADVICE;
  if (status === 508)
    return 'The url leads back to mcpmux itself. Remove the server: its tools are there already.';
  if (status === 408 || status === 429 || status >= 500) return TRY_LATER_ADVICE;
  return 'Check the url and the headers; server_logs has more.';
}
