import type { Mux, StatusName } from '@mcpmux/core';

/**
 * The statuses of the servers of a mux for all clients. They are updated by events, because listing all servers is
 * slow.
 */
export class EntryStatuses {
  private readonly known = new Map<string, StatusName>();

  constructor(mux: Pick<Mux, 'listServers' | 'on'>) {
    for (const { name, status } of mux.listServers()) this.known.set(name, status);
    mux.on('server:state', ({ server, layer, status }) => {
      if (layer === undefined) this.known.set(server, status);
    });
    mux.on('server:removed', ({ server, layer }) => {
      if (layer === undefined) this.known.delete(server);
    });
  }

  /** Returns the status of a server; undefined for a server that is not registered. */
  of(server: string): StatusName | undefined {
    return this.known.get(server);
  }

  /** True if a server answers requests, or starts automatically on the next request. */
  isUp(server: string): boolean {
    const status = this.known.get(server);
    return status === 'running' || status === 'idle';
  }
}
