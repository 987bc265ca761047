import type { RunFailure } from '../link/run-failure.js';

/** Resolves to the failure when the reload left the previous run serving. */
export type ReloadOutcome = Promise<RunFailure | undefined>;

/** The reloads of one server, one after the other. All that are asked for while one is under way share the next one. */
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

  /** Resolves when no reload is under way or waiting. */
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
      // Whatever has become of this one, the next one begins anew.
      this.current = undefined;
      this.next = undefined;
    }
  }
}
