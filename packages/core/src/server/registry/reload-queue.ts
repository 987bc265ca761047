import type { RunFailure } from '../link/run-failure.js';

/** Resolves to the failure if the previous run continues after a failed reload. */
export type ReloadOutcome = Promise<RunFailure | undefined>;

/** Runs the reloads of one server sequentially. All requests during a reload share the next reload. */
export class ReloadQueue {
  private current: ReloadOutcome | undefined;
  private next: ReloadOutcome | undefined;

  constructor(private readonly reload: () => ReloadOutcome) {}

  get isBusy(): boolean {
    return this.current !== undefined;
  }

  add(): ReloadOutcome {
    if (this.current === undefined) {
      this.current = this.run();
      return this.current;
    }
    this.next ??= this.runAfter(this.current);
    return this.next;
  }

  /** Resolves when no reload is running or queued. */
  async settled(): Promise<void> {
    while (this.current !== undefined) await (this.next ?? this.current);
  }

  private async runAfter(current: ReloadOutcome): ReloadOutcome {
    await Promise.allSettled([current]);
    return this.add();
  }

  private async run(): ReloadOutcome {
    try {
      return await this.reload();
    } finally {
      // The next reload starts fresh, whatever the outcome of this reload.
      this.current = undefined;
      this.next = undefined;
    }
  }
}
