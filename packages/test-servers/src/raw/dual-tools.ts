import { FORM, SAMPLING } from './asking-tools.js';
import { ClientRequests } from './client-requests.js';
import type { Params, RequestId } from './message.js';
import { answer, textResult } from './output.js';

/** The era of the process that a tool works in. */
export type DualEra = 'legacy' | 'modern';

/** The tools of a server of both eras. */
export const DUAL_TOOLS = ['era', 'ask', 'sample', 'ask_by_input'].map((name) => ({
  name,
  inputSchema: { type: 'object' },
}));

/** The requests of the server to its client. */
export const requests = new ClientRequests();

/**
 * Calls a tool. Those that ask do it as on the SDKs: by requests of the server, which the modern era does not have, or in
 * the result, in place of which legacy clients get requests.
 */
export async function callDual(era: DualEra, id: RequestId, { name, inputResponses }: Params): Promise<void> {
  const respond = (text: string): void =>
    answer(id, { ...textResult(text), ...(era === 'modern' && { resultType: 'complete' }) });
  const { method, params } = name === 'sample' ? SAMPLING : FORM;
  if (name === 'era') return respond(era);
  if (era === 'legacy') return respond((await requests.send(method, params)).join());
  if (name !== 'ask_by_input')
    return respond(`${method}: server-initiated requests are unavailable on 2026-07-28 connections`);
  if (inputResponses !== undefined) return respond(JSON.stringify(inputResponses));
  answer(id, { resultType: 'input_required', inputRequests: { who: FORM } });
}
