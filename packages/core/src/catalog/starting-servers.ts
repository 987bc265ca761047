import type { Upstream } from '../server/upstream.js';
import { isFirstStart } from './exposed-definition.js';

/** The servers whose lists are unknown because the servers are starting for the first time. */
export class StartingServers {
  private readonly servers = new Set<Upstream>();
  private waiters: (() => void)[] = [];

  get hasServers(): boolean {
    return this.servers.size > 0;
  }

  /** Must be called on every change of a server's state. Returns true if the server has just left this set. */
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

  /** Returns a promise that resolves when no selected server is in this set; undefined if none is in it now. */
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
