import { RawClient } from '../load/raw-client.js';
import { StdioConnection } from '../load/stdio-connection.js';
import { ManagedProcess, nodeCommand } from '../managed-process.js';
import { median, quantile } from '../measure/statistics.js';
import { MCPMUX_COMMAND } from '../targets/stdio-targets.js';

/** Times of one program, in milliseconds. */
export interface StartTimes {
  readonly samples: readonly number[];
  readonly median: number;
  readonly p90: number;
}

/** The start-up part of a run. */
export interface StartUpReport {
  /** `node -e 0`, from spawn to exit: what any Node.js program pays. */
  readonly node: StartTimes;
  /** The built command, from spawn to the answer to `initialize`. */
  readonly mcpmux: StartTimes;
}

/** Starts both in turn, this many times. */
export async function runStartUp(runs: number): Promise<StartUpReport> {
  // the first start of each also reads its files from the disk
  await bareNode();
  await untilInitialized();
  const node: number[] = [];
  const mcpmux: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    node.push(await bareNode());
    mcpmux.push(await untilInitialized());
  }
  return { node: startTimes(node), mcpmux: startTimes(mcpmux) };
}

async function bareNode(): Promise<number> {
  const started = performance.now();
  await new ManagedProcess(nodeCommand('-e', '0')).exited;
  return performance.now() - started;
}

async function untilInitialized(): Promise<number> {
  const started = performance.now();
  await using connection = new StdioConnection(new ManagedProcess(MCPMUX_COMMAND));
  await new RawClient(connection).initialize();
  return performance.now() - started;
}

function startTimes(samples: readonly number[]): StartTimes {
  const sorted = samples.toSorted((a, b) => a - b);
  return { samples, median: median(samples), p90: quantile(sorted, 0.9) };
}
