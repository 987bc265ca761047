import type { Upstream } from '../server/upstream.js';
import { isFirstStart } from './exposed-definition.js';

/** The servers that are starting for the first time, so their lists are still unknown. */
export class StartingServers {
  private readonly servers = new Set<Upstream>();
  private waiters: (() => void)[] = [];

  get hasServers(): boolean {
    return this.servers.size > 0;
  }

  /** Must be called whenever a server's state changes. Returns true if the server has just left this set. */
  updateState(upstream: Upstream): boolean {
    if (isFirstStart(upstream)) {
      this.servers.add(upstream);
      return false;
    }
    if (!this.servers.delete(upstream)) return false;
    const { waiters } = this;
    this.waiters = [];
    for (const resolve of waiters) resolve();
    return true;
  }

  /** Returns a promise that resolves once all selected servers have left this set; undefined if none is in it now. */
  whenStarted(isSelected: (upstream: Upstream) => boolean): Promise<void> | undefined {
    return this.includesAny(isSelected) ? this.waitUntilStarted(isSelected) : undefined;
  }

  private async waitUntilStarted(isSelected: (upstream: Upstream) => boolean): Promise<void> {
    while (this.includesAny(isSelected)) await new Promise<void>((resolve) => this.waiters.push(resolve));
  }

  private includesAny(isSelected: (upstream: Upstream) => boolean): boolean {
    return [...this.servers].some(isSelected);
  }
}
