import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { EMPTY_CONFIG } from '../config/seed-config.js';
import { ExitCode } from '../exit-code.js';
import { printResult, tell, type CommandContext } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';
import { configToWrite } from './config-choice.js';
import type { RemoveFlags } from './remove.js';
import { saveConfig } from './write-config.js';

/** Writes a config without servers: `mcpmux.json` here, or the user's with `--scope user`. */
export function init(context: CommandContext, flags: RemoveFlags): number {
  const isHere = flags.catalog === undefined && flags.scope !== 'user';
  const { file } = isHere ? { file: join(context.cwd, 'mcpmux.json') } : configToWrite(context, flags);
  if (existsSync(file)) {
    throw new CommandError({
      code: 'CONFIG_EXISTS',
      exitCode: ExitCode.Usage,
      message: `${file} is there already; it is as it was.`,
      next: 'mcpmux list shows its servers',
    });
  }
  const written = saveConfig(context, { file, before: '', after: EMPTY_CONFIG }, flags.dryRun === true);
  if (written) tell(context, NEXT.replace('FILE', file));
  if (context.flags.json === true) printResult(context, { file, written }, '');
  return ExitCode.Ok;
}

const NEXT = `Wrote FILE
Next: mcpmux import                      takes the servers of your clients into it
      mcpmux add NAME -- COMMAND ARGS    adds one
      mcpmux install                     registers mcpmux in your clients`;
