import type { Mux, MuxEventMap } from '@mcpmux/core';
import { PendingTable } from '@mcpmux/wire';
import type { FrontMetrics } from './front-metrics.js';

/** The label of servers that are visible to only some clients. No server can have this name. */
const PRIVATE = '__private__';

/** The server names that metrics may contain. Only servers that are visible to every client are named. */
export class SharedNames {
  private names: ReadonlySet<string> | undefined;
  /** The labels of calls in flight. A server may be added or removed before the call ends. */
  private readonly ofCalls = new PendingTable<number, string>();

  private readonly subscriptions: readonly (() => void)[];

  constructor(private readonly mux: Pick<Mux, 'on' | 'listServers'>) {
    this.subscriptions = [
      mux.on('server:added', () => (this.names = undefined)),
      mux.on('server:removed', () => (this.names = undefined)),
      mux.on('call:start', ({ call, server }) => this.ofCalls.add(call, this.shown(server))),
    ];
  }

  /** Unsubscribes from the mux. */
  close(): void {
    for (const unsubscribe of this.subscriptions) unsubscribe();
  }

  /** Returns the label of a server. */
  shown(server: string): string {
    this.names ??= new Set(this.mux.listServers().map(({ name }) => name));
    return this.names.has(server) ? server : PRIVATE;
  }

  /** Removes and returns the label that was assigned to a call when it began. */
  take({ call }: Pick<MuxEventMap['call:end'], 'call'>): string {
    return this.ofCalls.take(call) ?? PRIVATE;
  }
}

/** Counts the calls of a mux by server label. Returns a function that stops counting. */
export function countCalls(
  mux: Pick<Mux, 'on' | 'listServers'>,
  metrics: Pick<FrontMetrics, 'callEnded'>,
): () => void {
  const names = new SharedNames(mux);
  const unsubscribe = mux.on('call:end', (call) => metrics.callEnded({ ...call, server: names.take(call) }));
  return () => {
    unsubscribe();
    names.close();
  };
}
