import type { Upstream } from '../upstream.js';
import type { Actor } from './actor.js';
import { notAdded, running } from './registry-outcomes.js';

/** A server on its way up. */
export class Addition {
  /** Resolves when the server runs. Rejects with MuxError START_FAILED or SERVER_REMOVED. */
  readonly started: Promise<Upstream>;
  private isKept = false;

  /**
   * @param start resolves when the server runs or has failed, and no reload is under way; undefined if it begins idle
   * @param forget unregisters the server, whose run has ended
   * @param remove unregisters the server and ends its run
   */
  constructor(
    readonly upstream: Upstream,
    start: Promise<void> | undefined,
    private readonly forget: (by: Actor) => void,
    private readonly remove: () => void,
  ) {
    this.started = start === undefined ? Promise.resolve(upstream) : this.startedBy(start);
  }

  /** The one who asked has been answered: from now on a failed start leaves the server registered as crashed. */
  readonly keep = (): void => {
    this.isKept = true;
  };

  /** The one who asked does not want the server any more: removes this server, and no later one of the same name. */
  readonly undo = (): void => {
    if (this.upstream.state.kind !== 'removed') this.remove();
  };

  private async startedBy(start: Promise<void>): Promise<Upstream> {
    await start;
    const { state, name, restarts } = this.upstream;
    // Reloaded before it was up: what counts is how that ends, and whoever reloaded it knows that it is there.
    if (state.kind !== 'crashed' || this.isKept || restarts > 0) return running(this.upstream);
    this.forget({ rule: 'start failed' });
    throw notAdded(name, state.failure);
  }
}
