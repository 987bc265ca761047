import type { Mux } from '@mcpmux/core';
import type { Clock } from '@mcpmux/kit';

/** The maximum time for which a request waits for a moving server, in milliseconds. */
const MAX_WAIT_MS = 30_000;

/** The requests that wait for servers on their way to a node. */
export class StartWaits {
  /** The functions that check again whether a server is on its way, by server. */
  private readonly recheckCallbacks = new Map<string, Set<() => void>>();

  /** @param isOnItsWay returns true while a server moves to a node or starts there */
  constructor(
    private readonly mux: Pick<Mux, 'on'>,
    private readonly clock: Clock,
    private readonly isOnItsWay: (server: string) => boolean,
  ) {}

  /** Resolves when a server has arrived or the maximum time has passed. Returns undefined if it is not on its way. */
  whenArrived(server: string): Promise<void> | undefined {
    const { mux, clock, isOnItsWay } = this;
    if (!isOnItsWay(server)) return undefined;
    return new Promise((resolve) => {
      const finish = (): void => {
        timer.cancel();
        stopListening();
        rechecks.delete(recheck);
        if (rechecks.size === 0) this.recheckCallbacks.delete(server);
        resolve();
      };
      const recheck = (): void => {
        if (!isOnItsWay(server)) finish();
      };
      const timer = clock.schedule(finish, MAX_WAIT_MS);
      const stopListening = mux.on('server:state', (event) => event.server === server && recheck());
      const rechecks = this.recheckCallbacks.get(server) ?? new Set();
      this.recheckCallbacks.set(server, rechecks.add(recheck));
    });
  }

  /** Ends all waits for a server that the cluster no longer has. */
  endWaits(server: string): void {
    for (const recheck of this.recheckCallbacks.get(server) ?? []) recheck();
  }
}
