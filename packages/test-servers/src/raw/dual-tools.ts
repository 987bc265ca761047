import { FORM_REQUEST, SAMPLING_REQUEST } from './asking-tools.js';
import { ClientRequests } from './client-requests.js';
import type { Params, RequestId } from './message.js';
import { answer, textResult } from './output.js';

/** The era of the process in which a tool runs. */
export type DualEra = 'legacy' | 'modern';

/** The tools of a server that supports both eras. */
export const DUAL_TOOLS = ['era', 'ask', 'sample', 'ask_by_input'].map((name) => ({
  name,
  inputSchema: { type: 'object' },
}));

/** The requests that the server sends to its client. */
export const clientRequests = new ClientRequests();

/**
 * Calls a tool. In the legacy era, every question is a request to the client. In the modern era, `ask_by_input` puts
 * its question into the result, and the other tools that ask fail, as with the SDKs.
 */
export async function callDualTool(
  era: DualEra,
  id: RequestId,
  { name, inputResponses }: Params,
): Promise<void> {
  const respond = (text: string): void =>
    answer(id, { ...textResult(text), ...(era === 'modern' && { resultType: 'complete' }) });
  const { method, params } = name === 'sample' ? SAMPLING_REQUEST : FORM_REQUEST;
  if (name === 'era') return respond(era);
  if (era === 'legacy') return respond((await clientRequests.send(method, params)).join());
  if (name !== 'ask_by_input')
    return respond(`${method}: server-initiated requests are unavailable on 2026-07-28 connections`);
  if (inputResponses !== undefined) return respond(JSON.stringify(inputResponses));
  answer(id, { resultType: 'input_required', inputRequests: { who: FORM_REQUEST } });
}
