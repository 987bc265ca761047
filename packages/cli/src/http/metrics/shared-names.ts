import type { Mux } from '@mcpmux/core';

/** What stands in metrics for servers that only some clients see. */
const PRIVATE = 'private';

/** The names of servers that metrics may tell to whoever reads them: those that are there for all. */
export class SharedNames {
  private names: ReadonlySet<string> | undefined;

  constructor(private readonly mux: Pick<Mux, 'on' | 'listServers'>) {
    for (const type of ['server:added', 'server:removed'] as const) {
      mux.on(type, () => (this.names = undefined));
    }
  }

  /** The name of a server as a label. */
  shown(server: string): string {
    this.names ??= new Set(this.mux.listServers().map(({ name }) => name));
    return this.names.has(server) ? server : PRIVATE;
  }
}
