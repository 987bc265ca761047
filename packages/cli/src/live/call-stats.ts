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

/** Tells a server from those of the same name. */
export interface CalledServer {
  readonly server: string;
  /** Absent for a server of all clients. */
  readonly layer?: string | undefined;
}

interface Entry {
  readonly server: string;
  count: number;
  failed: number;
  running: number;
  /** The times of the last calls, in milliseconds, in no order. */
  readonly times: number[];
}

/** Counts calls and stores the times of the last ones, by layer and name of the server. */
export class CallStats {
  private readonly entries = new Map<string, Entry>();
  /** The calls of servers that have gone, by name, while namesakes are left. */
  private readonly former = new Map<string, Entry>();

  began(server: CalledServer): void {
    this.entry(server).running += 1;
  }

  ended(server: CalledServer, { ms, ending, problem }: EndedCall): void {
    const entry = this.entry(server);
    entry.running = Math.max(0, entry.running - 1);
    // The time of a cancelled call says nothing about the server.
    if (ending === 'cancelled') return;
    if (ending !== 'result' || problem !== undefined) entry.failed += 1;
    entry.times[entry.count % KEPT] = ms;
    entry.count += 1;
  }

  /**
   * Forgets a server that was removed.
   *
   * @param isNameLeft true if another layer has a server of the name: the sum of the name does not fall
   */
  forget(server: CalledServer, isNameLeft: boolean): void {
    const name = server.server;
    const entry = this.entries.get(keyOf(server));
    this.entries.delete(keyOf(server));
    if (!isNameLeft) this.former.delete(name);
    else if (entry !== undefined) this.former.set(name, together(name, this.former.get(name), entry));
  }

  /** The calls by the name of the server: those of namesakes together. */
  summary(): Readonly<Record<string, CallSummary>> {
    const byName = new Map<string, Entry[]>();
    for (const entry of [...this.entries.values(), ...this.former.values()])
      byName.set(entry.server, [...(byName.get(entry.server) ?? []), entry]);
    return Object.fromEntries([...byName].map(([server, entries]) => [server, summaryOf(entries)]));
  }

  /** The calls of one server. */
  of(server: CalledServer): CallSummary | undefined {
    const entry = this.entries.get(keyOf(server));
    return entry && summaryOf([entry]);
  }

  private entry(server: CalledServer): Entry {
    const key = keyOf(server);
    const known = this.entries.get(key);
    if (known !== undefined) return known;
    const entry = { server: server.server, count: 0, failed: 0, running: 0, times: [] };
    this.entries.set(key, entry);
    return entry;
  }
}

/** Costs nothing for a server of all clients: each call needs it twice. Ids of layers hold no line break. */
function keyOf({ server, layer }: CalledServer): string {
  return layer === undefined ? server : `${layer}\n${server}`;
}

function together(server: string, former: Entry | undefined, { count, failed, times }: Entry): Entry {
  return {
    server,
    count: count + (former?.count ?? 0),
    failed: failed + (former?.failed ?? 0),
    running: 0,
    times: [...(former?.times ?? []), ...times].slice(-KEPT),
  };
}

function summaryOf(entries: readonly Entry[]): CallSummary {
  const sum = (member: 'count' | 'failed' | 'running'): number =>
    entries.reduce((all, { [member]: one }) => all + one, 0);
  const [count, failed, running] = [sum('count'), sum('failed'), sum('running')];
  const sorted = entries.flatMap(({ times }) => times).toSorted((a, b) => a - b);
  const [p50, p95] = [0.5, 0.95].map((share) => sorted[Math.ceil(share * sorted.length) - 1]);
  return {
    count,
    failed,
    running,
    ...(p50 !== undefined && { p50 }),
    ...(p95 !== undefined && { p95 }),
  };
}
