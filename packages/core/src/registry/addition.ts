import type { Upstream } from '../upstream/upstream.js';
import type { Actor } from './actor.js';
import { notAdded, running } from './registry-outcomes.js';

/** What an {@link Addition} does with its server. */
export interface AdditionSteps {
  /** Starts the server. Resolves when it runs or has failed, and no reload is under way. Absent for one that begins idle. */
  readonly start?: (() => Promise<void>) | undefined;
  /** Unregisters the server, whose run has ended. */
  readonly forget: (by: Actor) => void;
  /** Unregisters the server and ends its run. */
  readonly remove: () => void;
}

/** A server on its way up. */
export class Addition {
  /** Resolves when the server runs. Rejects with MuxError START_FAILED or SERVER_REMOVED. */
  readonly started: Promise<Upstream>;
  private isKept = false;

  constructor(
    readonly upstream: Upstream,
    private readonly steps: AdditionSteps,
  ) {
    this.started = steps.start === undefined ? Promise.resolve(upstream) : this.startedBy(steps.start);
  }

  /** The one who asked has been answered: from now on a failed start leaves the server registered as crashed. */
  readonly keep = (): void => {
    this.isKept = true;
  };

  /** The one who asked does not want the server any more: removes this server, and no later one of the same name. */
  readonly undo = (): void => {
    if (this.upstream.state.kind !== 'removed') this.steps.remove();
  };

  private async startedBy(start: () => Promise<void>): Promise<Upstream> {
    await start();
    const { state, name, restarts } = this.upstream;
    // Reloaded before it was up: what counts is how that ends, and whoever reloaded it knows that it is there.
    if (state.kind !== 'crashed' || this.isKept || restarts > 0) return running(this.upstream);
    this.steps.forget({ rule: 'start failed' });
    throw notAdded(name, state.failure);
  }
}
