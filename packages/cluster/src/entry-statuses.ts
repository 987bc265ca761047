import type { Mux, StatusName } from '@mcpmux/core';

/** The statuses of a mux's servers, cached from events because listing all servers is slow. */
export class EntryStatuses {
  private readonly statuses = new Map<string, StatusName>();

  constructor(mux: Pick<Mux, 'listServers' | 'on'>) {
    for (const { name, status } of mux.listServers()) this.statuses.set(name, status);
    mux.on('server:state', ({ server, layer, status }) => {
      if (layer === undefined) this.statuses.set(server, status);
    });
    mux.on('server:removed', ({ server, layer }) => {
      if (layer === undefined) this.statuses.delete(server);
    });
  }

  /** Returns the status of a server, or undefined if the server is not registered. */
  get(server: string): StatusName | undefined {
    return this.statuses.get(server);
  }

  /** True if a server is running, or is idle and starts on the next request. */
  isUp(server: string): boolean {
    const status = this.statuses.get(server);
    return status === 'running' || status === 'idle';
  }
}
