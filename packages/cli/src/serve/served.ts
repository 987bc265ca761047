import { forceExitSoon, exitOnUncaughtError } from './process-end.js';
import type { StartRefusal } from './refused.js';
import { handleSignals } from './signals.js';

/** One of the parts that a serving process opens and later stops. */
export interface ServedPart {
  /** Resolves to the process's exit code when this part ends the process. */
  readonly ended?: Promise<number>;
  /** Called once when the process ends. */
  readonly stop?: () => unknown;
}

/** The parts of a serving process. They are stopped in reverse order. */
export class ServedParts {
  private readonly parts: ServedPart[] = [];

  /**
   * Opens the parts, serves until a part or a signal ends the process, and stops the parts. Resolves to the exit code.
   *
   * @param open adds each part as soon as the part is open. A refusal that it resolves to ends the process
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

  /** Stops all parts in reverse order, even if one of them fails. Then throws the first failure. */
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

/** Runs {@link ServedParts.run} in this process, then exits even if an open handle keeps the process alive. */
export async function serveInProcess(
  open: (served: ServedParts) => Promise<StartRefusal | undefined>,
): Promise<number> {
  const signalExit = new Promise<number>(handleSignals);
  exitOnUncaughtError();
  const exitCode = await ServedParts.run(open, signalExit);
  forceExitSoon(exitCode);
  return exitCode;
}
