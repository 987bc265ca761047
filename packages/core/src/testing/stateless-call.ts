import type { Principal } from '../guards/principal.js';
import type { Mux } from '../mux/mux-api.js';
import { modernLine } from './modern-lines.js';
import type { Response } from './mux-client.js';

/** The members of a result that a test reads. */
export interface StatelessResult {
  readonly resultType?: string;
  readonly inputRequests?: object;
  readonly requestState?: string;
  readonly content?: readonly { readonly text: string }[];
}

/** How a request without a connection is sent. */
export interface StatelessInit {
  readonly principal?: Principal | undefined;
  readonly capabilities?: object;
  /** Further members of `_meta`. */
  readonly meta?: object | undefined;
}

/** Sends a request without a connection to a mux. Resolves with all lines that it brings. */
export async function statelessLines(
  { mux }: { readonly mux: Mux },
  method: string,
  params: object,
  { principal, capabilities = { elicitation: { form: {} } }, meta }: StatelessInit,
): Promise<readonly string[]> {
  const lines: string[] = [];
  const line = modernLine('1', method, params, { capabilities, ...(meta && { meta }) });
  const caller = principal === undefined ? {} : { principal };
  await mux.handle(Buffer.from(line), caller, (sent) => lines.push(Buffer.from(sent).toString()));
  return lines;
}

/** Sends a call without a connection to a mux. Rejects with the message of an error. */
export async function lone(
  node: { readonly mux: Mux },
  params: object,
  principal?: Principal,
  meta?: object,
): Promise<StatelessResult> {
  const lines = await statelessLines(node, 'tools/call', params, { principal, meta });
  return resultOf(lines);
}

/** The result that stands in the last of some lines. Throws the message of an error. */
export function resultOf(lines: readonly string[]): Readonly<Record<string, unknown>> {
  const { result, error } = JSON.parse(lines.at(-1) ?? '') as Response;
  if (result === undefined) throw new Error(error?.message);
  return result;
}

/** The same call with the answers of the user. */
export function retryOf<Call extends object>(
  call: Call,
  { inputRequests = {}, requestState }: StatelessResult,
) {
  const keys = Object.keys(inputRequests);
  const inputResponses = Object.fromEntries(keys.map((key) => [key, { action: 'accept', content: {} }]));
  return { ...call, inputResponses, requestState };
}
