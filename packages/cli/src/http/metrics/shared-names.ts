import type { Mux, MuxEventMap } from '@mcpmux/core';

/** What stands in metrics for servers that only some clients see. No server can have that name. */
const PRIVATE = '__private__';

/** The names of servers that metrics may tell to whoever reads them: those that are there for all. */
export class SharedNames {
  private names: ReadonlySet<string> | undefined;
  /** Of calls in flight: a server may be gone, or come, before the call has ended. */
  private readonly ofCalls = new Map<number, string>();

  constructor(private readonly mux: Pick<Mux, 'on' | 'listServers'>) {
    for (const type of ['server:added', 'server:removed'] as const) {
      mux.on(type, () => (this.names = undefined));
    }
    mux.on('call:start', ({ call, server }) => this.ofCalls.set(call, this.shown(server)));
  }

  /** The name of a server as a label. */
  shown(server: string): string {
    this.names ??= new Set(this.mux.listServers().map(({ name }) => name));
    return this.names.has(server) ? server : PRIVATE;
  }

  /** The label of a call that has ended, as it was when the call began. Known once. */
  take({ call }: Pick<MuxEventMap['call:end'], 'call'>): string {
    const label = this.ofCalls.get(call) ?? PRIVATE;
    this.ofCalls.delete(call);
    return label;
  }
}
