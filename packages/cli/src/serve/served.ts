import { endSoon, exitOnDefect } from './process-end.js';
import type { Refused } from './refused.js';
import { handleSignals } from './signals.js';

/** A part of a process that serves clients. */
export interface Part {
  /** Resolves to the exit code if the process must end because of this part. */
  readonly ended?: Promise<number>;
  /** Called once when the process ends, before earlier parts are stopped. */
  readonly stop?: () => unknown;
}

/** The parts of a process that serves clients. */
export class Served {
  private readonly parts: Part[] = [];

  /**
   * Opens the parts, serves until one of them ends or a signal arrives, and stops them. Resolves to the exit code.
   *
   * @param open adds each part as soon as the part is open
   * @param signalled resolves to the exit code for the first signal
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

  /** Stops all parts in reverse order, even if some of them fail. */
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

/** Calls {@link Served.run} for this process, and makes it exit afterwards even if some handle keeps it alive. */
export async function serveInProcess(
  open: (served: Served) => Promise<Refused | undefined>,
): Promise<number> {
  const signalled = new Promise<number>(handleSignals);
  exitOnDefect();
  const exitCode = await Served.run(open, signalled);
  endSoon(exitCode);
  return exitCode;
}
