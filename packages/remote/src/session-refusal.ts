import { isRecord } from '@mcpmux/kit';

import { partsLength, type LineParts } from './line-parts.js';
import type { RemoteError } from './remote-error.js';

/** Codes by which servers and SDKs refuse a request for its session. */
const CODES = new Set<unknown>([-32_000, -32_001, -32_600]);
/** An error of JSON-RPC may be one of a tool: it must name the session of the protocol. */
const PHRASE =
  /\bsession\b.*\b(?:not found|expired|unknown|invalid|terminated|closed|not exist)\b|\b(?:invalid|unknown|missing|no valid|expired|no such) (?:mcp[- ])?session\b|\bserver (?:is )?not (?:yet )?initiali[sz]ed\b/i;
/** Errors of this kind are short. */
const MAX_ERROR_BYTES = 1000;

/** True for a refusal by which a server says that it knows the session no more: 404 (specification, transports) or its kin. */
export function isForgotten(where: string, problem: RemoteError): boolean {
  const { status } = problem;
  return status === 404 || status === 410 || (status === 400 && /session/i.test(said(where, problem)));
}

/** True for a refusal that speaks of a session or of its opening. Servers use many statuses for it. */
export function isDoubtful(where: string, problem: RemoteError): boolean {
  return (problem.status ?? 0) >= 400 && speaksOfSession(said(where, problem));
}

/** True if a text speaks of a session or of its opening. */
export function speaksOfSession(text: string): boolean {
  return /session|initiali[sz]/i.test(text);
}

/** True for an error of JSON-RPC by which a server says that it does not know the session. */
export function isSessionError(line: LineParts): boolean {
  const [first] = line;
  if (first === undefined || partsLength(line) > MAX_ERROR_BYTES || !first.includes('"error"')) return false;
  try {
    const message: unknown = JSON.parse(Buffer.concat(line).toString());
    const error = isRecord(message) ? message['error'] : undefined;
    return isRecord(error) && CODES.has(error['code']) && PHRASE.test(String(error['message']));
  } catch {
    return false;
  }
}

/** The url may speak of sessions, too. */
function said(where: string, { problem }: RemoteError): string {
  return problem.replace(where, '');
}
