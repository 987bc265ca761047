import { ExitCode } from '../base/exit-code.js';
import type { CommandContext } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';
import { confirm } from '../terminal/confirm.js';

/** With `--yes`, and without a person at a terminal, no command offers more than it was told to do. */
export function asksFor({ streams, flags }: CommandContext): boolean {
  return streams.isInteractive && flags.yes !== true;
}

/** True when the person says yes. */
export async function accepts(
  context: CommandContext,
  question: string,
  isDefault = false,
): Promise<boolean> {
  return unlessRefused(() => confirm(context, question, isDefault));
}

/**
 * Runs `work`. False when the person refused it, which does not undo earlier work.
 *
 * @throws any other error of `work`, also that of Ctrl-C
 */
export async function unlessRefused(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof CommandError && error.failure.exitCode === ExitCode.Refused) return false;
    throw error;
  }
}
