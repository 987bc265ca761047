import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

import type { Action } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';
import { configToWrite, type ConfigFlags } from './config-choice.js';
import { validateConfig } from './config-actions.js';

/** Opens the config in the user's editor, and checks the config after the editor has ended. */
export const editConfigFile: Action<ConfigFlags> = async (context, words, flags) => {
  const { file } = configToWrite(context, flags);
  if (!existsSync(file))
    throw new CommandError('CONFIG_NOT_FOUND', `there is no file ${file}.`, {
      next: 'create one with: mcpmux init',
    });
  const { VISUAL, EDITOR } = context.environment;
  const editor = VISUAL || EDITOR || (context.platform === 'win32' ? 'notepad' : 'vi');
  // The value may contain options, such as: code --wait
  const [program = '', ...options] = editor.split(/\s+/).filter(Boolean);
  await opened(program, [...options, file]);
  return validateConfig(context, words, flags);
};

async function opened(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { stdio: 'inherit' });
  try {
    await once(child, 'exit');
  } catch {
    throw new CommandError('COMMAND_NOT_FOUND', `the editor "${program}" was not found.`, {
      next: 'set the variable EDITOR to the command of your editor',
    });
  }
}
