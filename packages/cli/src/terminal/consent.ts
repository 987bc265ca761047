import { ExitCode } from '../base/exit-code.js';
import type { CommandContext } from './command-context.js';
import { CommandError } from './command-error.js';
import { confirm } from './confirm.js';

/** False with `--yes` or without a terminal. Commands then do only what their flags request. */
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
 * Calls `work`. Resolves to false if the person refused. Work done before the refusal is not undone.
 *
 * @throws any other error of `work`, including the error for Ctrl-C
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
