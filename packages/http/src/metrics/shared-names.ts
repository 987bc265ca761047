import type { Mux, MuxEventMap } from '@mcpmux/core';

/** What stands in metrics for servers that only some clients see. No server can have that name. */
const PRIVATE = '__private__';

/** The server names that metrics may show: those of servers that every client sees. */
export class SharedNames {
  private names: ReadonlySet<string> | undefined;
  /** Of calls in flight: a server may be gone, or come, before the call has ended. */
  private readonly ofCalls = new Map<number, string>();

  private readonly subscriptions: readonly (() => void)[];

  constructor(private readonly mux: Pick<Mux, 'on' | 'listServers'>) {
    this.subscriptions = [
      mux.on('server:added', () => (this.names = undefined)),
      mux.on('server:removed', () => (this.names = undefined)),
      mux.on('call:start', ({ call, server }) => this.ofCalls.set(call, this.shown(server))),
    ];
  }

  /** Listens to the mux no more. */
  close(): void {
    for (const unsubscribe of this.subscriptions) unsubscribe();
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
