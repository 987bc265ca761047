import { ExitCode } from '../base/exit-code.js';
import type { CommandContext } from './command-context.js';
import { CommandError } from './command-error.js';
import { Prompt } from './prompt.js';

const INTERRUPT_REASON = 'interrupted';
const NO_ANSWER_REASON = 'no answer';

/**
 * Asks the user for confirmation, unless `--yes` was passed.
 *
 * @param isDefault true if an empty answer means yes
 * @throws CommandError REFUSED if the user answers no, presses Ctrl-C or closes the input, or if there is neither a
 * terminal nor `--yes`
 */
export async function confirm(
  { flags, streams }: CommandContext,
  question: string,
  isDefault = false,
): Promise<void> {
  if (flags.yes === true) return;
  if (!streams.isInteractive) {
    throw new CommandError('REFUSED', 'nothing was written: there is no terminal to ask on.', {
      next: 'pass --yes to write, or --dry-run to see the changes only.',
    });
  }
  if (process.stdin.readableEnded) throw new CommandError('REFUSED', 'nothing was written.');
  const prompt = new Prompt();
  const { reader } = prompt;
  const abortController = new AbortController();
  reader.on('SIGINT', () => abortController.abort(INTERRUPT_REASON));
  reader.on('close', () => abortController.abort(NO_ANSWER_REASON));
  try {
    const answer = await prompt.ask(`${question} ${isDefault ? '[Y/n]' : '[y/N]'} `, abortController.signal);
    if (/^y(?:es)?$/i.test(answer.trim()) || (isDefault && answer.trim() === '')) return;
  } catch {
    const exitCode =
      abortController.signal.reason === INTERRUPT_REASON ? ExitCode.Interrupted : ExitCode.Refused;
    throw new CommandError('REFUSED', 'nothing was written.', { exitCode });
  } finally {
    reader.close();
  }
  throw new CommandError('REFUSED', 'nothing was written.');
}
