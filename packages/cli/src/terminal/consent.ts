import { ExitCode } from '../base/exit-code.js';
import type { CommandContext } from './command-context.js';
import { CommandError } from './command-error.js';
import { confirm } from './confirm.js';

/** True on a terminal without `--yes`. Otherwise, commands skip optional questions and follow only their flags. */
export function canAskOptionalQuestions({ streams, flags }: CommandContext): boolean {
  return streams.isInteractive && flags.yes !== true;
}

/** Asks a yes-or-no question. Resolves to true if the answer is yes. */
export async function askYesNo(
  context: CommandContext,
  question: string,
  isDefault = false,
): Promise<boolean> {
  return falseIfRefused(() => confirm(context, question, isDefault));
}

/**
 * Runs `work`. Resolves to false if the user refused. Does not undo work done before the refusal.
 *
 * @throws any other error from `work`, such as the error from `confirm` after Ctrl-C
 */
export async function falseIfRefused(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof CommandError && error.failure.exitCode === ExitCode.Refused) return false;
    throw error;
  }
}
