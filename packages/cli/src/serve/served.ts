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
   * Opens the parts, serves until one of them ends or a signal comes, and stops them. Resolves to the exit code.
   *
   * @param open adds each part as soon as it is open
   * @param signalled resolves to the exit code of the first signal
   */
  static async run(
    open: (served: Served) => Promise<Refused | undefined>,
    signalled: Promise<number>,
  ): Promise<number> {
    const served = new Served();
    try {
      const stopped = signalled.then((exitCode): Refused => ({ exitCode }));
      const refused = await Promise.race([open(served), stopped]);
      const ended = served.parts.flatMap((part) => part.ended ?? []);
      return refused?.exitCode ?? (await Promise.race([signalled, ...ended]));
    } finally {
      await served.close();
    }
  }

  add(part: Part): void {
    this.parts.push(part);
  }

  /** Stops all parts, the last one first. A part that fails does not keep the others from their end. */
  private async close(): Promise<void> {
    const failures: unknown[] = [];
    for (const part of this.parts.splice(0).toReversed()) {
      try {
        await part.stop?.();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

/** Serves clients with this process, as {@link Served.run} does. The process ends even if something keeps it alive. */
export async function serveInProcess(
  open: (served: Served) => Promise<Refused | undefined>,
): Promise<number> {
  const signalled = new Promise<number>(handleSignals);
  exitOnDefect();
  const exitCode = await Served.run(open, signalled);
  endSoon(exitCode);
  return exitCode;
}
