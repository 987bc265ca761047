import { plainRequest, toolCall, type LoadPlan } from '../load/run-load.js';
import { measureLoad, type LoadFigures } from '../measure/measure-load.js';
import type { RunningTarget } from '../targets/target.js';

const IN_FLIGHT = 32;

/** Calls of one tool. */
export async function measureCalls(
  { client, pid }: RunningTarget,
  tool: string,
  load: Partial<LoadPlan>,
): Promise<LoadFigures> {
  const { bytes } = await client.callTool(tool, { message: 'hello' });
  const plan = { inFlight: IN_FLIGHT, windowMs: 0, minCalls: 0, ...load };
  return measureLoad(client, pid, { ...plan, request: toolCall(tool), answerBytes: bytes });
}

/** `tools/list`, one after the other. */
export async function measureLists(
  { client, pid }: RunningTarget,
  windowMs: number,
): Promise<LoadFigures & { readonly tools: number }> {
  const { result, bytes } = await client.request('tools/list');
  const plan = {
    inFlight: 1,
    windowMs,
    minCalls: 1,
    request: plainRequest('tools/list'),
    answerBytes: bytes,
  };
  const figures = await measureLoad(client, pid, plan);
  const { tools } = result as { tools: readonly unknown[] };
  return { ...figures, tools: tools.length };
}
