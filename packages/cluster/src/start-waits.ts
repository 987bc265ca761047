import type { Mux } from '@mcpmux/core';
import type { Clock } from '@mcpmux/kit';

/** Maximum time that a request waits for a server on its way to a node, in milliseconds. */
const MAX_WAIT_MS = 30_000;

/** Lets requests wait for servers that are moving to a node or starting there. */
export class StartWaits {
  /** By server: one callback per waiting request, which ends the wait unless the server is still on its way. */
  private readonly recheckCallbacks = new Map<string, Set<() => void>>();

  /** @param isOnItsWay returns true while a server moves to a node or starts there */
  constructor(
    private readonly mux: Pick<Mux, 'on'>,
    private readonly clock: Clock,
    private readonly isOnItsWay: (server: string) => boolean,
  ) {}

  /** Resolves on the server's arrival or after the maximum time. Returns undefined if the server is not on its way. */
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
