/** Tools of so many names are counted. */
const MAX_COUNTED = 10_000;
/** When a tool has been called so often, all counts are halved: what is used now outweighs what was used long ago. */
const MOST = 1000;

/** Calls `count` with the server and the local name of each tool that is called, from now on. */
export type WatchCalls = (count: (server: string, tool: string) => void) => void;

/** How often each tool was called, since the first list that asked. */
export class ToolUses {
  private counts = new Map<string, number>();
  private isWatching = false;

  constructor(private readonly watch: WatchCalls) {}

  /** Calls are counted from the first question on: a mux that never asks watches no call. */
  of(tool: string): number {
    if (!this.isWatching) {
      this.isWatching = true;
      this.watch((server, called) => this.count(`${server}__${called}`));
    }
    return this.counts.get(tool) ?? 0;
  }

  /** The calls of the tools of a server by local name, the most used first; undefined when none was counted. */
  ofServer(server: string): Readonly<Record<string, number>> | undefined {
    const prefix = `${server}__`;
    const own = [...this.counts].filter(([tool]) => tool.startsWith(prefix));
    if (own.length === 0) return undefined;
    const sorted = own.toSorted(([, one], [, other]) => other - one);
    return Object.fromEntries(sorted.map(([tool, count]) => [tool.slice(prefix.length), count]));
  }

  /** Adds the counts of an earlier mux, for tools that were not called in this one. */
  restore(server: string, uses: Readonly<Record<string, number>>): void {
    for (const [tool, count] of Object.entries(uses)) {
      const key = `${server}__${tool}`;
      const isFree = !this.counts.has(key) && this.counts.size < MAX_COUNTED;
      if (isFree && count > 0) this.counts.set(key, Math.min(count, MOST));
    }
  }

  private count(tool: string): void {
    const before = this.counts.get(tool);
    if (before === undefined && this.counts.size >= MAX_COUNTED) return;
    this.counts.set(tool, (before ?? 0) + 1);
    if ((before ?? 0) < MOST) return;
    const halved = [...this.counts].map(([name, count]) => [name, Math.floor(count / 2)] as const);
    this.counts = new Map(halved.filter(([, count]) => count > 0));
  }
}
