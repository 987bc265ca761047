import { type CallSummary, hasFailed } from '@mcpmux/dashboard';

/** The maximum number of call durations stored per server. */
const MAX_DURATIONS = 200;

interface EndedCall {
  readonly ms: number;
  readonly ending: string;
  /** The error message, which may come from a tool's result. */
  readonly problem?: string | undefined;
}

/** A server, identified by its name and layer. */
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
  /** The durations of the latest calls, in milliseconds and in no particular order. */
  readonly durations: number[];
}

/** Counts each server's calls and stores the durations of its latest calls. */
export class CallStats {
  private readonly entries = new Map<string, Entry>();
  /** The combined statistics of removed servers, by name. Stored only while another server has the same name. */
  private readonly removedServers = new Map<string, Entry>();

  recordStart(server: CalledServer): void {
    this.entryFor(server).running += 1;
  }

  recordEnd(server: CalledServer, { ms, ending, problem }: EndedCall): void {
    const entry = this.entryFor(server);
    entry.running = Math.max(0, entry.running - 1);
    // Cancelled calls are not counted, because the client determines how long they last.
    if (ending === 'cancelled') return;
    if (hasFailed({ ending, problem })) entry.failed += 1;
    entry.durations[entry.count % MAX_DURATIONS] = ms;
    entry.count += 1;
  }

  /**
   * Deletes a removed server's statistics.
   *
   * @param isNameInUse true if a server of another layer has the same name. The summary for the name then still
   *   includes the removed server's calls.
   */
  removeServer(server: CalledServer, isNameInUse: boolean): void {
    const name = server.server;
    const entry = this.entries.get(keyOf(server));
    this.entries.delete(keyOf(server));
    if (!isNameInUse) this.removedServers.delete(name);
    else if (entry !== undefined)
      this.removedServers.set(name, addCalls(name, this.removedServers.get(name), entry));
  }

  /** Returns call summaries by server name. Each summary combines all servers with the same name. */
  summary(): Readonly<Record<string, CallSummary>> {
    const byName = new Map<string, Entry[]>();
    for (const entry of [...this.entries.values(), ...this.removedServers.values()])
      byName.set(entry.server, [...(byName.get(entry.server) ?? []), entry]);
    return Object.fromEntries([...byName].map(([server, entries]) => [server, summaryOf(entries)]));
  }

  /** Returns a summary of one server's calls. Undefined if there were none. */
  summaryFor(server: CalledServer): CallSummary | undefined {
    const entry = this.entries.get(keyOf(server));
    return entry && summaryOf([entry]);
  }

  private entryFor(server: CalledServer): Entry {
    const key = keyOf(server);
    const existing = this.entries.get(key);
    if (existing !== undefined) return existing;
    const entry = { server: server.server, count: 0, failed: 0, running: 0, durations: [] };
    this.entries.set(key, entry);
    return entry;
  }
}

/**
 * Layer ids contain no line break, so the keys are unique. Allocates nothing for a shared server, because this function
 * runs twice for each call.
 */
function keyOf({ server, layer }: CalledServer): string {
  return layer === undefined ? server : `${layer}\n${server}`;
}

function addCalls(server: string, former: Entry | undefined, { count, failed, durations }: Entry): Entry {
  return {
    server,
    count: count + (former?.count ?? 0),
    failed: failed + (former?.failed ?? 0),
    running: 0,
    durations: [...(former?.durations ?? []), ...durations].slice(-MAX_DURATIONS),
  };
}

function summaryOf(entries: readonly Entry[]): CallSummary {
  const sum = (member: 'count' | 'failed' | 'running'): number =>
    entries.reduce((all, { [member]: one }) => all + one, 0);
  const [count, failed, running] = [sum('count'), sum('failed'), sum('running')];
  const sortedMs = entries.flatMap(({ durations }) => durations).toSorted((a, b) => a - b);
  const [p50, p95] = [0.5, 0.95].map((share) => sortedMs[Math.ceil(share * sortedMs.length) - 1]);
  return {
    count,
    failed,
    running,
    ...(p50 !== undefined && { p50 }),
    ...(p95 !== undefined && { p95 }),
  };
}
