import type { Principal } from '../guards/principal.js';
import type { Mux } from '../mux/mux-api.js';
import { modernLine } from './modern-lines.js';

/** The members of a result that a test reads. */
export interface LoneResult {
  readonly resultType?: string;
  readonly inputRequests?: object;
  readonly requestState?: string;
  readonly content?: readonly { readonly text: string }[];
}

/** Sends a call without a connection to a mux. Rejects with the message of an error. */
export async function lone(
  { mux }: { readonly mux: Mux },
  params: object,
  principal?: Principal,
  meta?: object,
): Promise<LoneResult> {
  const lines: string[] = [];
  const capabilities = { elicitation: { form: {} } };
  const line = modernLine('1', 'tools/call', params, { capabilities, ...(meta && { meta }) });
  const caller = principal === undefined ? {} : { principal };
  await mux.handle(Buffer.from(line), caller, (sent) => lines.push(Buffer.from(sent).toString()));
  const { result, error } = JSON.parse(lines.at(-1) ?? '') as {
    result?: LoneResult;
    error?: { message: string };
  };
  if (result === undefined) throw new Error(error?.message);
  return result;
}

/** The same call with the answers of the user. */
export function retryOf<Call extends object>(call: Call, { inputRequests = {}, requestState }: LoneResult) {
  const keys = Object.keys(inputRequests);
  const inputResponses = Object.fromEntries(keys.map((key) => [key, { action: 'accept', content: {} }]));
  return { ...call, inputResponses, requestState };
}
