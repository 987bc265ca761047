import type { Upstream } from '../upstream.js';
import type { Actor } from '../config/actor.js';
import { additionFailedError, requireRunning } from './registry-outcomes.js';
import type { Registration } from '../lists/registration.js';
import type { Layer } from '../config/layer.js';

/** A server that is being added. */
export class Addition {
  /** Resolves when the server is running or idle. Rejects with MuxError START_FAILED or SERVER_REMOVED. */
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

  /**
   * From now on, a server that fails to start stays registered as crashed. Called once the addition has been answered.
   */
  readonly keep = (): void => {
    this.staysRegistered = true;
  };

  /** Removes the server if its addition is cancelled, but never a later server with the same name. */
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

/** Where a server's name must be unused. */
export interface NameOptions {
  /**
   * The registry of the actor that adds the server, in which the name must be unused. If absent, the name must be
   * unused in the registry that receives the server.
   */
  readonly actorRegistry?: Layer & { resolve(name: string): Upstream | undefined };
  /** Returns true if the actor may learn that a server has the name. If absent, the actor may always learn this. */
  readonly sees?: ((upstream: Upstream) => boolean) | undefined;
}

/** Options for {@link Registry.add}. */
export interface RegistryAddOptions
  extends
    NameOptions,
    Pick<
      Registration,
      'view' | 'remembered' | 'reread' | 'addedBy' | 'scopeReason' | 'manager' | 'pinnedAs'
    > {
  readonly by?: Actor;
}
