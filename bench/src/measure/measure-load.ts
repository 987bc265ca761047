import type { RawClient } from '../load/raw-client.js';
import type { LoadPlan } from '../load/run-load.js';
import { cpuMicros, rssBytes } from './process-usage.js';
import { quantile } from './statistics.js';

/** The figures of a load, with the CPU time and the memory of the process in the middle, if there is one. */
export interface LoadFigures {
  readonly calls: number;
  readonly callsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuMicrosPerCall: number | null;
  readonly rssBytes: number | null;
}

const MS_PER_SECOND = 1000;

/**
 * Runs a load and reads the clocks of the process before its first call and after its last answer.
 *
 * @param others further processes that every call passes
 */
export async function measureLoad(
  client: RawClient,
  pid: number | undefined,
  plan: LoadPlan,
  others: readonly number[] = [],
): Promise<LoadFigures> {
  const pids = pid === undefined ? [] : [pid, ...others];
  const sum = (of: (pid: number) => number): number => pids.reduce((all, one) => all + of(one), 0);
  const cpuBefore = sum(cpuMicros);
  const { calls, wallMs, latencies } = await client.load(plan);
  const cpu = pid === undefined ? null : sum(cpuMicros) - cpuBefore;
  client.check();
  return {
    calls,
    callsPerSecond: (calls / wallMs) * MS_PER_SECOND,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    cpuMicrosPerCall: cpu === null ? null : cpu / calls,
    rssBytes: pid === undefined ? null : sum(rssBytes),
  };
}
