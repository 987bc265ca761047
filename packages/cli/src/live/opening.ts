import { isObject } from '@mcpmux/clients';

import { parseJsonObject } from '../base/json-object.js';
import type { Challenge, Opening } from './read-opening.js';

/** The prefix of the methods that open a connection to an instance or administer the instance. */
export const ADMIN_PREFIX = 'mcpmux/';
/** The request id of an opening. A session on the same connection can reuse the id. */
const OPENING_ID = 0;
/** The bytes at the start of every opening. They identify an opening before the whole line has arrived. */
export const OPENING_START = Buffer.from(
  `{"jsonrpc":"2.0","id":${OPENING_ID},"method":"${ADMIN_PREFIX}open",`,
);

/** The result of an opening. `older` means that the process has an older version than the window requires. */
export type OpenState = 'opened' | 'older';

/** Returns an opening as a line, without its line end. */
export function openingLine(params: Opening | Challenge): string {
  return JSON.stringify({ jsonrpc: '2.0', id: OPENING_ID, method: `${ADMIN_PREFIX}open`, params });
}

/** Returns the response to an opening as a line, with its line end. */
export function openStateLine(result: OpenState): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id: OPENING_ID, result: { state: result } })}\n`;
}

/** Parses the response to an opening. Returns undefined for any other line. */
export function parseOpenState(line: string): OpenState | undefined {
  const { result } = parseJsonObject(line) ?? {};
  const state = isObject(result) ? result['state'] : undefined;
  return state === 'opened' || state === 'older' ? state : undefined;
}

/** Returns the response to a challenge as a line, with its line end. */
export function proofLine(proof: string | undefined): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id: OPENING_ID, result: { proof } })}\n`;
}

/** Parses the response to a challenge. Returns undefined for any other line. */
export function parseProof(line: string): string | undefined {
  const { result } = parseJsonObject(line) ?? {};
  const proof = isObject(result) ? result['proof'] : undefined;
  return typeof proof === 'string' ? proof : undefined;
}
