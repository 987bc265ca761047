import type { Mux } from '@mcpmux/core';
import { MuxError } from '@mcpmux/kit';

/** Removes cluster servers from one node's mux. */
export class Removals {
  private readonly pendingRemovals = new Map<string, Promise<void>>();
  private readonly controllers = new Set<AbortController>();

  constructor(private readonly mux: Pick<Mux, 'removeServer'>) {}

  /**
   * Removes a server. Resolves when all its runs on this node have ended, including runs that were removed earlier.
   *
   * @param isMoved true if the server stays in the cluster and only leaves this node
   */
  begin(server: string, isMoved: boolean): Promise<void> {
    const removal = this.remove(server, isMoved, this.pendingRemovals.get(server)).finally(() => {
      if (this.pendingRemovals.get(server) === removal) this.pendingRemovals.delete(server);
    });
    this.pendingRemovals.set(server, removal);
    return removal;
  }

  /** Resolves when all runs of a removed server on this node have ended. */
  async whenRemoved(server: string): Promise<void> {
    await this.pendingRemovals.get(server);
  }

  /** Completes pending removals without waiting for calls to finish or for the servers to shut down gracefully. */
  hasten(): void {
    for (const controller of this.controllers) controller.abort();
  }

  private async remove(server: string, isMoved: boolean, before: Promise<void> | undefined): Promise<void> {
    const controller = new AbortController();
    this.controllers.add(controller);
    try {
      await this.mux.removeServer(server, { haste: controller.signal, isMoved });
    } catch (error) {
      // An agent may already have removed the server.
      if (!(error instanceof MuxError) || error.code !== 'SERVER_NOT_FOUND') throw error;
    } finally {
      this.controllers.delete(controller);
      await before?.catch(() => undefined);
    }
  }
}
