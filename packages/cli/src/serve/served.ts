import { endSoon, exitOnDefect } from './process-end.js';
import type { Refused } from './refused.js';
import { handleSignals } from './signals.js';

/** A part of a process that serves clients. */
export interface Part {
  /** Resolves to the exit code if the process must end because of this part. */
  readonly ended?: Promise<number>;
  /** Called once, when the process ends. The parts that were added before are still there. */
  readonly stop?: () => unknown;
}

/** A process that serves clients, from its first part to its last. */
export class Served {
  private readonly parts: Part[] = [];

  /**
   * Opens the parts of a process, serves until one of them ends or a signal comes, and stops them. Resolves to the exit
   * code.
   *
   * @param open adds each part as soon as it is open
   */
  static async run(open: (served: Served) => Promise<Refused | undefined>): Promise<number> {
    const served = new Served();
    try {
      const refused = await open(served);
      const exitCode = refused?.exitCode ?? (await served.until());
      endSoon(exitCode);
      return exitCode;
    } finally {
      await served.close();
    }
  }

  add(part: Part): void {
    this.parts.push(part);
  }

  private until(): Promise<number> {
    exitOnDefect();
    const signalled = new Promise<number>(handleSignals);
    return Promise.race([signalled, ...this.parts.flatMap(({ ended }) => ended ?? [])]);
  }

  private async close(): Promise<void> {
    for (const part of this.parts.splice(0).toReversed()) await part.stop?.();
  }
}
