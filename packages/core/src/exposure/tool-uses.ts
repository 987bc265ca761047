/** Tools of so many names are counted. */
const MAX_COUNTED = 10_000;

/** Calls `count` with the qualified name of each tool that is called, from now on. */
export type WatchCalls = (count: (tool: string) => void) => void;

/** How often each tool was called, since the first list that asked. */
export class ToolUses {
  private readonly counts = new Map<string, number>();
  private isWatching = false;

  constructor(private readonly watch: WatchCalls) {}

  /** Calls are counted from the first question on: a mux that never asks watches no call. */
  of(tool: string): number {
    if (!this.isWatching) {
      this.isWatching = true;
      this.watch((called) => this.count(called));
    }
    return this.counts.get(tool) ?? 0;
  }

  private count(tool: string): void {
    const before = this.counts.get(tool);
    if (before === undefined && this.counts.size >= MAX_COUNTED) return;
    this.counts.set(tool, (before ?? 0) + 1);
  }
}
