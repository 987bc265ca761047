import { idKey, type RawId, stringId } from '@mcpmux/wire';

import { inOneLine, NO_JSON, NO_MESSAGE, type BodyProblem, type PostedMessage } from './posted-message.js';

const MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);

/**
 * Reads a call that the strict reader does not accept, and that the mux refuses with its own reason. Either a member
 * occurs twice in the call, or the call is nested too deeply. Bytes with an unknown member are not a message.
 */
export function looseMessage(bytes: Buffer): PostedMessage | BodyProblem {
  const value = parsed(bytes);
  if (value === undefined) return NO_JSON;
  if (!isObject(value) || Object.keys(value).some((key) => !MEMBERS.has(key))) return NO_MESSAGE;
  const { jsonrpc, id, method, params = {} } = value;
  if (jsonrpc !== '2.0' || typeof method !== 'string' || !isObject(params)) return NO_MESSAGE;
  const line = inOneLine(bytes);
  if (!('id' in value)) return { kind: 'notification', line, method, cancels: undefined };
  const key = keyOf(id);
  return key === undefined
    ? NO_MESSAGE
    : { kind: 'request', line, id: key, method, progressToken: undefined };
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function keyOf(id: unknown): string | undefined {
  if (typeof id === 'string') return idKey(stringId(id));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the text of an integer is an id
  return Number.isSafeInteger(id) ? idKey(String(id) as RawId) : undefined;
}
