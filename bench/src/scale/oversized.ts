import { echoServer } from '../forwarding/lineup.js';
import { peakRssBytes } from '../measure/process-usage.js';
import { mcpmux } from '../targets/stdio-targets.js';
import type { RunningTarget } from '../targets/target.js';

const OVERSIZED_BYTES = 64_000_000;
const CALLS_BEFORE = 200;

/** The cost of one message over the size limit for all other requests. */
export interface OversizedReport {
  readonly bytes: number;
  /** The slowest call of another server before the message, in milliseconds. */
  readonly slowestBeforeMs: number;
  /** The slowest while the message came in: what the event loop was held up, seen from outside. */
  readonly slowestMeanwhileMs: number;
  /** By how much the highest memory of the process rose. */
  readonly memoryBytes: number;
}

/** Lets a second server answer with more than mcpmux takes, and calls the first one all the while. */
export async function runOversized(): Promise<OversizedReport> {
  await using mux = await mcpmux.start(echoServer('100b'));
  const { client, pid = 0 } = mux;
  await client.callTool('add_server', { name: 'big', ...echoServer(OVERSIZED_BYTES) });
  const before = await slowestCall(mux, (calls) => calls < CALLS_BEFORE);
  const memoryBefore = peakRssBytes(pid);
  let isOver = false;
  // what it is answered with is for the tests to say: here only the others count
  const answer = client.request('tools/call', { name: 'big__echo', arguments: {} }).catch(() => {});
  const refused = answer.then(() => (isOver = true));
  const meanwhile = await slowestCall(mux, () => !isOver);
  await refused;
  return {
    bytes: OVERSIZED_BYTES,
    slowestBeforeMs: before,
    slowestMeanwhileMs: meanwhile,
    memoryBytes: peakRssBytes(pid) - memoryBefore,
  };
}

async function slowestCall(
  { client, tool }: RunningTarget,
  goesOn: (calls: number) => boolean,
): Promise<number> {
  let slowest = 0;
  for (let calls = 0; goesOn(calls); calls += 1) {
    const started = performance.now();
    await client.callTool(tool, { message: 'hello' });
    slowest = Math.max(slowest, performance.now() - started);
  }
  return slowest;
}
