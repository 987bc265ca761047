import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

import { findProgram, type ProcessSpec } from '@mcpmux/programs';

import type { Action } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';
import { configToWrite, type ConfigFlags } from '../config/config-choice.js';
import { validateConfig } from './config-actions.js';

/** Opens the config in the user's editor, and validates the config after the editor exits. */
export const editConfigFile: Action<ConfigFlags> = async (context, words, flags) => {
  const { file } = configToWrite(context, flags);
  if (!existsSync(file))
    throw new CommandError('CONFIG_NOT_FOUND', `there is no file ${file}.`, {
      next: 'create one with: mcpmux init',
    });
  const { VISUAL, EDITOR } = context.environment;
  const editor = VISUAL || EDITOR || (context.platform === 'win32' ? 'notepad' : 'vi');
  // `VISUAL` and `EDITOR` may contain options, as in `code --wait`.
  const [program = '', ...options] = (editor.match(/"[^"]*"|\S+/g) ?? []).map((word) =>
    word.replaceAll('"', ''),
  );
  await runEditor({ command: program, args: [...options, file], env: context.environment });
  return validateConfig(context, words, flags);
};

async function runEditor(editor: ProcessSpec): Promise<void> {
  try {
    const program = await findProgram(editor);
    await once(spawn(program.command, program.args, { ...program, stdio: 'inherit' }), 'exit');
  } catch {
    throw new CommandError('COMMAND_NOT_FOUND', `the editor "${editor.command}" was not found.`, {
      next: 'set the variable EDITOR to the command of your editor',
    });
  }
}
