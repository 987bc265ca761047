import type { RunFailure } from '../link/run-failure.js';

/** Performs a reload. Resolves to the failure if the reload fails and the previous run continues. */
export type ReloadOutcome = Promise<RunFailure | undefined>;

/** Runs one server's reloads one after another. All requests that arrive during a reload share the next reload. */
export class ReloadQueue {
  private runningReload: ReloadOutcome | undefined;
  private nextReload: ReloadOutcome | undefined;

  constructor(private readonly reload: () => ReloadOutcome) {}

  get isBusy(): boolean {
    return this.runningReload !== undefined;
  }

  requestReload(): ReloadOutcome {
    if (this.runningReload === undefined) {
      this.runningReload = this.runReload();
      return this.runningReload;
    }
    this.nextReload ??= this.reloadAfter(this.runningReload);
    return this.nextReload;
  }

  /** Resolves when no reload is running or queued. */
  async whenIdle(): Promise<void> {
    while (this.runningReload !== undefined) await (this.nextReload ?? this.runningReload);
  }

  private async reloadAfter(current: ReloadOutcome): ReloadOutcome {
    await Promise.allSettled([current]);
    return this.requestReload();
  }

  private async runReload(): ReloadOutcome {
    try {
      return await this.reload();
    } finally {
      // The next reload runs regardless of the outcome of this one.
      this.runningReload = undefined;
      this.nextReload = undefined;
    }
  }
}
