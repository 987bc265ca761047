import { type CallSummary, hasFailed } from '@mcpmux/dashboard';

/** The number of calls per server whose times are stored. */
const KEPT = 200;

interface EndedCall {
  readonly ms: number;
  readonly ending: string;
  /** The server's error text. A tool's result may contain one. */
  readonly problem?: string | undefined;
}

/** Identifies a server among servers with the same name. */
export interface CalledServer {
  readonly server: string;
  /** Absent for a server that all clients share. */
  readonly layer?: string | undefined;
}

interface Entry {
  readonly server: string;
  count: number;
  failed: number;
  running: number;
  /** The times of the last calls, in milliseconds. The order is arbitrary. */
  readonly times: number[];
}

/** Counts calls and stores the times of the last calls, by layer and server name. */
export class CallStats {
  private readonly entries = new Map<string, Entry>();
  /** The calls of removed servers, by name, while another server has the same name. */
  private readonly former = new Map<string, Entry>();

  began(server: CalledServer): void {
    this.entry(server).running += 1;
  }

  ended(server: CalledServer, { ms, ending, problem }: EndedCall): void {
    const entry = this.entry(server);
    entry.running = Math.max(0, entry.running - 1);
    // The time of a cancelled call says nothing about the server.
    if (ending === 'cancelled') return;
    if (hasFailed({ ending, problem })) entry.failed += 1;
    entry.times[entry.count % KEPT] = ms;
    entry.count += 1;
  }

  /**
   * Forgets a server that was removed.
   *
   * @param isNameLeft true if another layer has a server with the name, so that the total for the name must not
   * decrease
   */
  forget(server: CalledServer, isNameLeft: boolean): void {
    const name = server.server;
    const entry = this.entries.get(keyOf(server));
    this.entries.delete(keyOf(server));
    if (!isNameLeft) this.former.delete(name);
    else if (entry !== undefined) this.former.set(name, together(name, this.former.get(name), entry));
  }

  /** Returns the calls by server name. The calls of servers with the same name are added up. */
  summary(): Readonly<Record<string, CallSummary>> {
    const byName = new Map<string, Entry[]>();
    for (const entry of [...this.entries.values(), ...this.former.values()])
      byName.set(entry.server, [...(byName.get(entry.server) ?? []), entry]);
    return Object.fromEntries([...byName].map(([server, entries]) => [server, summaryOf(entries)]));
  }

  /** Returns the calls of one server. */
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

/**
 * Returns the key of a server. It allocates nothing for a server that all clients share, because each call needs the
 * key twice. Layer ids contain no line break.
 */
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
