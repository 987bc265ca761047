/** The number of calls per server whose times are stored. */
const KEPT = 200;

/** The calls of one server so far. */
export interface CallSummary {
  /** Calls that have ended. */
  readonly count: number;
  /** Calls that ended with an error, also that of a tool, or without an answer. */
  readonly failed: number;
  /** Calls in flight. */
  readonly running: number;
  /** Milliseconds within which half of the last calls were answered; absent before the first. */
  readonly p50?: number | undefined;
  /** The same of 95 in a hundred. */
  readonly p95?: number | undefined;
}

interface EndedCall {
  readonly ms: number;
  readonly ending: string;
  /** The error text of the server; a tool's result may have one. */
  readonly problem?: string;
}

interface Entry {
  count: number;
  failed: number;
  running: number;
  /** The times of the last calls, in milliseconds, in no order. */
  readonly times: number[];
}

/** Counts calls and stores the times of the last ones, by server. */
export class CallStats {
  private readonly entries = new Map<string, Entry>();

  began(server: string): void {
    this.entry(server).running += 1;
  }

  ended(server: string, { ms, ending, problem }: EndedCall): void {
    const entry = this.entry(server);
    entry.running = Math.max(0, entry.running - 1);
    // The time of a cancelled call says nothing about the server.
    if (ending === 'cancelled') return;
    if (ending !== 'result' || problem !== undefined) entry.failed += 1;
    entry.times[entry.count % KEPT] = ms;
    entry.count += 1;
  }

  forget(server: string): void {
    this.entries.delete(server);
  }

  summary(): Readonly<Record<string, CallSummary>> {
    return Object.fromEntries([...this.entries].map(([server, entry]) => [server, summaryOf(entry)]));
  }

  private entry(server: string): Entry {
    const entry = this.entries.get(server) ?? { count: 0, failed: 0, running: 0, times: [] };
    this.entries.set(server, entry);
    return entry;
  }
}

function summaryOf({ count, failed, running, times }: Entry): CallSummary {
  const sorted = times.toSorted((a, b) => a - b);
  const [p50, p95] = [0.5, 0.95].map((share) => sorted[Math.ceil(share * sorted.length) - 1]);
  return {
    count,
    failed,
    running,
    ...(p50 !== undefined && { p50 }),
    ...(p95 !== undefined && { p95 }),
  };
}
