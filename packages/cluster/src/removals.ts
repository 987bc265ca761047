import type { Mux } from '@mcpmux/core';
import { MuxError } from '@mcpmux/kit';

/** Removes servers of the cluster from the mux of one node. */
export class Removals {
  /** By server: resolves when no run of the server is left here. */
  private readonly leaving = new Map<string, Promise<void>>();
  private readonly hastes = new Set<AbortController>();

  constructor(private readonly mux: Pick<Mux, 'removeServer'>) {}

  /**
   * Removes a server. Resolves when no run of the server is left here, including runs from earlier removals.
   *
   * @param isMoved true if the cluster keeps the server
   */
  begin(server: string, isMoved: boolean): Promise<void> {
    const gone = this.remove(server, isMoved, this.leaving.get(server)).finally(() => {
      if (this.leaving.get(server) === gone) this.leaving.delete(server);
    });
    this.leaving.set(server, gone);
    return gone;
  }

  /** Resolves when no run of a removed server is left here. */
  async of(server: string): Promise<void> {
    await this.leaving.get(server);
  }

  /** Gives the servers that are being removed no more time for their calls and for an orderly end. */
  hasten(): void {
    for (const haste of this.hastes) haste.abort();
  }

  private async remove(server: string, isMoved: boolean, before: Promise<void> | undefined): Promise<void> {
    const haste = new AbortController();
    this.hastes.add(haste);
    try {
      await this.mux.removeServer(server, { haste: haste.signal, isMoved });
    } catch (error) {
      // An agent has already removed the server.
      if (!(error instanceof MuxError) || error.code !== 'SERVER_NOT_FOUND') throw error;
    } finally {
      this.hastes.delete(haste);
      await before?.catch(() => undefined);
    }
  }
}
