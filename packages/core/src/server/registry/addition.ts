import type { Upstream } from '../upstream.js';
import type { Actor } from '../config/actor.js';
import { additionFailedError, requireRunning } from './registry-outcomes.js';
import type { Registration } from '../lists/registration.js';
import type { Layer } from '../config/layer.js';

/** A server that is being added. */
export class Addition {
  /** Resolves when the server runs or is idle. Rejects with MuxError START_FAILED or SERVER_REMOVED. */
  readonly started: Promise<Upstream>;
  private staysRegistered = false;

  /**
   * @param start resolves when the server runs or has failed and no reload is in progress; undefined if the server is
   *   initially idle
   * @param forget unregisters the server, whose run has ended
   * @param remove unregisters the server and ends its run
   */
  constructor(
    readonly upstream: Upstream,
    start: Promise<void> | undefined,
    private readonly forget: (by: Actor) => void,
    private readonly remove: () => void,
  ) {
    this.started = start === undefined ? Promise.resolve(upstream) : this.whenStarted(start);
  }

  /** Leaves the server registered as crashed if its start fails later. Called once the addition has an answer. */
  readonly keep = (): void => {
    this.staysRegistered = true;
  };

  /** Removes the server if its addition is cancelled. Does not remove a later server with the same name. */
  readonly undo = (): void => {
    if (this.upstream.state.kind !== 'removed') this.remove();
  };

  private async whenStarted(start: Promise<void>): Promise<Upstream> {
    await start;
    const { state, name, restartCount } = this.upstream;
    // After a reload during the start, only the reload's outcome counts. Its caller knows that the server exists.
    if (state.kind !== 'crashed' || this.staysRegistered || restartCount > 0)
      return requireRunning(this.upstream);
    this.forget({ rule: 'start failed' });
    throw additionFailedError(name, state.failure);
  }
}

/** The scope in which a name must be free. */
export interface NameOptions {
  /**
   * The registry of the actor that adds the server. The name must be free there. When absent, the name must be free in
   * the registry that gets the server.
   */
  readonly actorRegistry?: Layer & { resolve(name: string): Upstream | undefined };
  /** Returns true if the actor may learn that a server has the name. When absent, true for all servers. */
  readonly sees?: ((upstream: Upstream) => boolean) | undefined;
}

/** Options of {@link Registry.add}. */
export interface RegistryAddOptions
  extends
    NameOptions,
    Pick<
      Registration,
      'view' | 'remembered' | 'reread' | 'addedBy' | 'scopeReason' | 'manager' | 'pinnedAs'
    > {
  readonly by?: Actor;
}
