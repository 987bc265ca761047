import { isObject } from '@mcpmux/clients';

import { jsonObject } from '../base/json-object.js';
import type { Challenge, Opening } from './read-opening.js';

/** The beginning of the methods by which commands of its user open connections to a running mcpmux, and administer it. */
export const ADMIN_PREFIX = 'mcpmux/';
/** The id of an opening. The requests of the session that follows have their own ids. */
const OPENING_ID = 0;
/** The beginning of every opening, by which the first line of a connection is known without its end. */
export const OPENING_START = Buffer.from(
  `{"jsonrpc":"2.0","id":${OPENING_ID},"method":"${ADMIN_PREFIX}open",`,
);

/** The response to an opening. An older process makes room for a process of the window's version. */
export type Opened = 'opened' | 'older';

/** Returns the line of an opening, without its line end. */
export function openingLine(params: Opening | Challenge): string {
  return JSON.stringify({ jsonrpc: '2.0', id: OPENING_ID, method: `${ADMIN_PREFIX}open`, params });
}

/** Returns the response to an opening, with its line end. */
export function openedLine(result: Opened): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id: OPENING_ID, result: { state: result } })}\n`;
}

/** Parses the response to an opening. Returns undefined for any other line. */
export function readOpened(line: string): Opened | undefined {
  const { result } = jsonObject(line) ?? {};
  const state = isObject(result) ? result['state'] : undefined;
  return state === 'opened' || state === 'older' ? state : undefined;
}

/** Returns the response to a challenge, with its line end. Without a proof it has none. */
export function proofLine(proof: string | undefined): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id: OPENING_ID, result: { proof } })}\n`;
}

/** Parses the response to a challenge. Returns undefined for any other line. */
export function readProof(line: string): string | undefined {
  const { result } = jsonObject(line) ?? {};
  const proof = isObject(result) ? result['proof'] : undefined;
  return typeof proof === 'string' ? proof : undefined;
}
