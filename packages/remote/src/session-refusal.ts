import { isRecord, parsedJson } from '@mcpmux/kit';

import { partsLength, type LineParts } from './line-parts.js';
import type { RemoteError } from './remote-error.js';

/** Error codes that servers and SDKs use for session errors. */
const SESSION_ERROR_CODES = new Set<unknown>([-32_000, -32_001, -32_600]);
/** Matches the text of a session error. It must name the protocol session, because tools may have other sessions. */
const SESSION_ERROR_TEXT =
  /\bsession\b.*\b(?:not found|expired|unknown|invalid|terminated|closed|not exist)\b|\b(?:invalid|unknown|missing|no valid|expired|no such) (?:mcp[- ])?session\b|\bserver (?:is )?not (?:yet )?initiali[sz]ed\b/i;
/** The maximum size of a session error, in bytes. Longer errors are not parsed. */
const MAX_SESSION_ERROR_BYTES = 1000;

/** True if a rejection means that the session is lost: status 404 (specification, transports) or a similar one. */
export function isSessionLost(redactedUrl: string, problem: RemoteError): boolean {
  const { status } = problem;
  return (
    status === 404 || status === 410 || (status === 400 && /session/i.test(problemText(redactedUrl, problem)))
  );
}

/** True if a rejection mentions a session or its opening. Servers use many different statuses for this. */
export function mayConcernSession(redactedUrl: string, problem: RemoteError): boolean {
  return (problem.status ?? 0) >= 400 && mentionsSession(problemText(redactedUrl, problem));
}

/** True if a text mentions a session or its opening. */
export function mentionsSession(text: string): boolean {
  return /session|initiali[sz]/i.test(text);
}

/** True if a JSON-RPC error reports an unknown session. */
export function isSessionError(line: LineParts): boolean {
  const [first] = line;
  if (first === undefined || partsLength(line) > MAX_SESSION_ERROR_BYTES || !first.includes('"error"'))
    return false;
  const message = parsedJson(Buffer.concat(line).toString());
  const error = isRecord(message) ? message['error'] : undefined;
  return (
    isRecord(error) &&
    SESSION_ERROR_CODES.has(error['code']) &&
    SESSION_ERROR_TEXT.test(String(error['message']))
  );
}

/** Returns the problem without the URL, because a URL may itself contain the word "session". */
function problemText(redactedUrl: string, { problem }: RemoteError): string {
  return problem.replace(redactedUrl, '');
}
