import type { Mux } from '@mcpmux/core';
import type { Clock } from '@mcpmux/kit';

/** The maximum time for which a request waits for a moving server, in milliseconds. */
const WAIT_MS = 30_000;

/** The requests that wait for servers on their way to a node. */
export class StartWaits {
  /** The functions that check again whether a server is on its way, by server. */
  private readonly recheckers = new Map<string, Set<() => void>>();

  /** @param isOnItsWay returns true while a server moves to a node or starts there */
  constructor(
    private readonly mux: Pick<Mux, 'on'>,
    private readonly clock: Clock,
    private readonly isOnItsWay: (server: string) => boolean,
  ) {}

  /**
   * Resolves when a server has arrived or the time has passed. Returns undefined for a server that is not on its way.
   */
  whenArrived(server: string): Promise<void> | undefined {
    const { mux, clock, isOnItsWay } = this;
    if (!isOnItsWay(server)) return undefined;
    return new Promise((resolve) => {
      const end = (): void => {
        timer.cancel();
        stop();
        rechecks.delete(recheck);
        if (rechecks.size === 0) this.recheckers.delete(server);
        resolve();
      };
      const recheck = (): void => {
        if (!isOnItsWay(server)) end();
      };
      const timer = clock.schedule(end, WAIT_MS);
      const stop = mux.on('server:state', (event) => event.server === server && recheck());
      const rechecks = this.recheckers.get(server) ?? new Set();
      this.recheckers.set(server, rechecks.add(recheck));
    });
  }

  /** Ends all waits for a server that the cluster no longer has. */
  serverGone(server: string): void {
    for (const recheck of this.recheckers.get(server) ?? []) recheck();
  }
}
