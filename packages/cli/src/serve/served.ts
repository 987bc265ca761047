import { forceExitSoon, exitOnUncaughtError } from './process-end.js';
import type { StartRefusal } from './refused.js';
import { handleSignals } from './signals.js';

/** A part of a process that serves clients. */
export interface ServedPart {
  /** Resolves to the exit code if the process must end because of this part. */
  readonly ended?: Promise<number>;
  /** Called once when the process ends, before earlier parts are stopped. */
  readonly stop?: () => unknown;
}

/** The parts of a process that serves clients. */
export class ServedParts {
  private readonly parts: ServedPart[] = [];

  /**
   * Opens the parts, serves until one of them ends or a signal arrives, and stops them. Resolves to the exit code.
   *
   * @param open adds each part as soon as the part is open
   * @param signalExit resolves to the exit code for the first signal
   */
  static async run(
    open: (served: ServedParts) => Promise<StartRefusal | undefined>,
    signalExit: Promise<number>,
  ): Promise<number> {
    const served = new ServedParts();
    try {
      const refusalOnSignal = signalExit.then((exitCode): StartRefusal => ({ exitCode }));
      const refusal = await Promise.race([open(served), refusalOnSignal]);
      const exitCodes = served.parts.flatMap((part) => part.ended ?? []);
      return refusal?.exitCode ?? (await Promise.race([signalExit, ...exitCodes]));
    } finally {
      await served.close();
    }
  }

  add(part: ServedPart): void {
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

/** Calls {@link ServedParts.run} for this process, and makes it exit afterwards even if a handle keeps it alive. */
export async function serveInProcess(
  open: (served: ServedParts) => Promise<StartRefusal | undefined>,
): Promise<number> {
  const signalExit = new Promise<number>(handleSignals);
  exitOnUncaughtError();
  const exitCode = await ServedParts.run(open, signalExit);
  forceExitSoon(exitCode);
  return exitCode;
}
