/** Maximum number of tools whose calls are counted. */
const MAX_COUNTED_TOOLS = 10_000;
/** Maximum count. When a count exceeds it, all counts are halved, so that recent use outweighs earlier use. */
const MAX_COUNT = 1000;

/** Subscribes to tool calls. Each call invokes `count` with the server's name and the tool's local name. */
export type WatchCalls = (count: (server: string, tool: string) => void) => void;

/** Counts the calls to each tool. Counting starts at the first `getCount`, so an unused counter costs nothing. */
export class ToolUses {
  private counts = new Map<string, number>();
  private isWatching = false;

  constructor(private readonly watch: WatchCalls) {}

  /** `tool` is the tool's qualified name. */
  getCount(tool: string): number {
    if (!this.isWatching) {
      this.isWatching = true;
      this.watch((server, called) => this.countCall(`${server}__${called}`));
    }
    return this.counts.get(tool) ?? 0;
  }

  /** Returns a server's call counts by local tool name, in descending order; undefined if no call was counted. */
  countsForServer(server: string): Readonly<Record<string, number>> | undefined {
    const prefix = `${server}__`;
    const entries = [...this.counts].filter(([tool]) => tool.startsWith(prefix));
    if (entries.length === 0) return undefined;
    const sortedCounts = entries.toSorted(([, one], [, other]) => other - one);
    return Object.fromEntries(sortedCounts.map(([tool, count]) => [tool.slice(prefix.length), count]));
  }

  /** Restores the counts that an earlier mux saved, except for tools that this mux has already counted. */
  restoreCounts(server: string, uses: Readonly<Record<string, number>>): void {
    for (const [tool, count] of Object.entries(uses)) {
      const key = `${server}__${tool}`;
      const hasRoom = !this.counts.has(key) && this.counts.size < MAX_COUNTED_TOOLS;
      if (hasRoom && count > 0) this.counts.set(key, Math.min(count, MAX_COUNT));
    }
  }

  private countCall(tool: string): void {
    const previous = this.counts.get(tool);
    if (previous === undefined && this.counts.size >= MAX_COUNTED_TOOLS) return;
    this.counts.set(tool, (previous ?? 0) + 1);
    if ((previous ?? 0) < MAX_COUNT) return;
    const halvedCounts = [...this.counts].map(([name, count]) => [name, Math.floor(count / 2)] as const);
    this.counts = new Map(halvedCounts.filter(([, count]) => count > 0));
  }
}
