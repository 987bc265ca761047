import { existsSync } from 'node:fs';

import { EMPTY_CONFIG } from '../config/seed-config.js';
import { ExitCode } from '../exit-code.js';
import { printResult, tell, type CommandContext } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';
import { configToWrite } from './config-choice.js';
import type { RemoveFlags } from './remove.js';
import { saveConfig } from './write-config.js';

/** Writes a config without servers: that of the user, or `mcpmux.json` here with `--scope project`. */
export function init(context: CommandContext, flags: RemoveFlags): number {
  const { file, origin } = configToWrite(context, { scope: 'user', ...flags });
  if (existsSync(file)) {
    throw new CommandError({
      code: 'CONFIG_EXISTS',
      exitCode: ExitCode.Usage,
      message: `${file} is there already; it is as it was.`,
      next: 'mcpmux list shows its servers',
    });
  }
  const written = saveConfig(context, { file, before: '', after: EMPTY_CONFIG }, flags.dryRun === true);
  if (written) tell(context, `Wrote ${file}\n${origin === 'project' ? NEXT_IN_PROJECT : NEXT}`);
  if (context.flags.json === true) printResult(context, { file, written }, '');
  return ExitCode.Ok;
}

const NEXT = `Next: mcpmux import                      takes the servers of your clients into it
      mcpmux add NAME -- COMMAND ARGS    adds one
      mcpmux install                     registers mcpmux in your clients`;

const NEXT_IN_PROJECT = `It counts where mcpmux runs with --project-config, or with MCPMUX_PROJECT_CONFIG=1.
Next: mcpmux add --scope project NAME -- COMMAND ARGS
      mcpmux list --project-config
      mcpmux install --project           registers mcpmux with --project-config in the clients of this project`;
