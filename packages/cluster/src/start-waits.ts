import type { Mux } from '@mcpmux/core';
import type { Clock } from '@mcpmux/kit';

/** Maximum time for a request to wait for a server that moves to another node, in milliseconds. */
const WAIT_MS = 30_000;

/** The requests that wait for servers that move to another node. */
export class StartWaits {
  /** By server: functions that check again if the server is on its way. */
  private readonly waiting = new Map<string, Set<() => void>>();

  /** @param isOnItsWay returns true while a server moves to a node, or starts there */
  constructor(
    private readonly mux: Pick<Mux, 'on'>,
    private readonly clock: Clock,
    private readonly isOnItsWay: (server: string) => boolean,
  ) {}

  /** Resolves when a server has arrived, or after a time limit; undefined for a server that is not on its way. */
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

  /** Ends the waits for a server that the cluster no longer has. */
  gone(server: string): void {
    for (const look of this.waiting.get(server) ?? []) look();
  }
}
