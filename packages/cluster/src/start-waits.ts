import type { Mux } from '@mcpmux/core';
import type { Clock } from '@mcpmux/kit';

/** How long a request waits for a server that moves to another node, in milliseconds. */
const WAIT_MS = 30_000;

/** The requests that wait for servers which move to another node. */
export class StartWaits {
  /** By server: looks again whether the server is on its way. */
  private readonly waiting = new Map<string, Set<() => void>>();

  /** @param isOnItsWay true while a server is on its way to a node, or starts there */
  constructor(
    private readonly mux: Pick<Mux, 'on'>,
    private readonly clock: Clock,
    private readonly isOnItsWay: (server: string) => boolean,
  ) {}

  /** Resolves when a server has arrived, or does not arrive soon; undefined for a server that is not on its way. */
  of(server: string): Promise<void> | undefined {
    const { mux, clock, isOnItsWay } = this;
    if (!isOnItsWay(server)) return undefined;
    return new Promise((resolve) => {
      const end = (): void => {
        timer.cancel();
        stop();
        looks.delete(look);
        if (looks.size === 0) this.waiting.delete(server);
        resolve();
      };
      const look = (): void => {
        if (!isOnItsWay(server)) end();
      };
      const timer = clock.schedule(end, WAIT_MS);
      const stop = mux.on('server:state', (event) => event.server === server && look());
      const looks = this.waiting.get(server) ?? new Set();
      this.waiting.set(server, looks.add(look));
    });
  }

  /** The cluster no longer has a server. */
  gone(server: string): void {
    for (const look of this.waiting.get(server) ?? []) look();
  }
}
