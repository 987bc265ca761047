import process from 'node:process';
import { createInterface } from 'node:readline/promises';

import { ExitCode } from '../exit-code.js';
import type { CommandContext } from './command-context.js';
import { CommandError } from './command-error.js';

/**
 * Asks for a yes. Never waits for somebody who is not there.
 *
 * @throws CommandError REFUSED without a terminal and without `--yes`, and for a no
 */
export async function confirm({ flags, streams }: CommandContext, question: string): Promise<void> {
  if (flags.yes === true) return;
  if (!streams.isInteractive) {
    throw new CommandError({
      code: 'REFUSED',
      exitCode: ExitCode.Refused,
      message: 'nothing was written: nobody can be asked here.',
      next: 'pass --yes to write, or --dry-run to only see what would change.',
    });
  }
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await reader.question(`${question} [y/N] `);
    if (/^y(?:es)?$/i.test(answer.trim())) return;
  } finally {
    reader.close();
  }
  throw new CommandError({ code: 'REFUSED', exitCode: ExitCode.Refused, message: 'nothing was written.' });
}
