import { isRecord, parsedJson } from '@mcpmux/kit';

import { partsLength, type LineParts } from './line-parts.js';
import type { RemoteError } from './remote-error.js';

/** Error codes with which servers and SDKs refuse a request because of its session. */
const CODES = new Set<unknown>([-32_000, -32_001, -32_600]);
/** The text of a session error. A JSON-RPC error may come from a tool, so it must mention the protocol session. */
const PHRASE =
  /\bsession\b.*\b(?:not found|expired|unknown|invalid|terminated|closed|not exist)\b|\b(?:invalid|unknown|missing|no valid|expired|no such) (?:mcp[- ])?session\b|\bserver (?:is )?not (?:yet )?initiali[sz]ed\b/i;
/** The maximum size of such an error, which is always short. */
const MAX_ERROR_BYTES = 1000;

/**
 * True for a refusal with which a server reports that it no longer knows the session, with 404 (specification,
 * transports) or a similar status.
 */
export function isForgotten(where: string, problem: RemoteError): boolean {
  const { status } = problem;
  return status === 404 || status === 410 || (status === 400 && /session/i.test(said(where, problem)));
}

/** True for a refusal that mentions a session or its opening. Servers use many statuses for it. */
export function isDoubtful(where: string, problem: RemoteError): boolean {
  return (problem.status ?? 0) >= 400 && speaksOfSession(said(where, problem));
}

/** True if a text mentions a session or its opening. */
export function speaksOfSession(text: string): boolean {
  return /session|initiali[sz]/i.test(text);
}

/** True for a JSON-RPC error with which a server reports that it does not know the session. */
export function isSessionError(line: LineParts): boolean {
  const [first] = line;
  if (first === undefined || partsLength(line) > MAX_ERROR_BYTES || !first.includes('"error"')) return false;
  const message = parsedJson(Buffer.concat(line).toString());
  const error = isRecord(message) ? message['error'] : undefined;
  return isRecord(error) && CODES.has(error['code']) && PHRASE.test(String(error['message']));
}

/** Returns the problem without the URL, which may also mention sessions. */
function said(where: string, { problem }: RemoteError): string {
  return problem.replace(where, '');
}
