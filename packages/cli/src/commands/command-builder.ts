import process from 'node:process';

import { Command, InvalidArgumentError, Option } from 'commander';

import { processContext, type Action, type CommonFlags } from '../terminal/command-context.js';
import { exitOnOutputError } from '../terminal/end-with-reader.js';
import { addCommonFlags, inheritFlags } from '../terminal/common-flags.js';
import { CommandError, formatFailure } from '../terminal/command-error.js';
import { failureOf } from '../live/failure-of.js';

/** Called with a command's exit code when the command ends. */
export type OnExit = (code: number) => void;

/** Creates a command with the common flags. */
export function command(usage: string, description: string): Command {
  const [name = '', ...rest] = usage.split(' ');
  const result = new Command(name).description(description).exitOverride().allowExcessArguments(false);
  for (const argument of rest) result.argument(argument);
  return addCommonFlags(result);
}

/** Adds the flags that choose a config. */
export function addConfigFlags(result: Command): Command {
  return result
    .option('--config <file>', 'use this config file')
    .addOption(
      new Option('-s, --scope <scope>', 'use the config of the user, or that of this project')
        .choices(['user', 'project'])
        .conflicts('config'),
    )
    .addOption(new Option('--catalog <file>', 'the same as --config').conflicts('config').hideHelp())
    .addOption(new Option('--project-config', 'the config of this project, if there is one').hideHelp());
}

/** Adds the flag that chooses a profile of the config. */
export function addProfileFlag(result: Command): Command {
  return result.option('--profile <name>', 'only the servers of this profile of the config');
}

/** Adds the flags of a command that writes a config. */
export function addWriteFlags(result: Command): Command {
  return addConfigFlags(result).option('--dry-run', 'only show what would change');
}

/** Adds the flags of a command that changes servers in a config. */
export function addChangeFlags(result: Command): Command {
  return addWriteFlags(result).option('--no-reload', 'do not apply the change to the running mcpmux');
}

/** Adds the flags of a command that starts servers of a config. */
export function addStartFlags(result: Command): Command {
  return addConfigFlags(result)
    .option('--timeout <seconds>', 'how long a server may take to start (default: 60)', parseSecondsAsMs)
    .option('--fresh', 'start the servers for this command, even if a running mcpmux has them');
}

/** Makes a command load and run its action. Prints errors to stderr, and passes the exit code to `exit`. */
export function run<Flags>(
  result: Command,
  exit: OnExit,
  loadAction: () => Promise<Action<Flags, number | Promise<number>>>,
): Command {
  return result.action(async () => {
    inheritFlags(result);
    const flags = result.opts<Flags & CommonFlags>();
    exitOnOutputError();
    try {
      changeFolder(flags.directory);
      const action = await loadAction();
      exit(await action(processContext(flags), result.args, flags));
    } catch (error) {
      const failure = failureOf(error);
      if (failure === undefined) throw error;
      processContext(flags).streams.err(formatFailure(failure, flags.json === true));
      exit(failure.exitCode);
    }
  });
}

function changeFolder(folder: string | undefined): void {
  if (folder === undefined) return;
  try {
    process.chdir(folder);
  } catch {
    throw new CommandError('FOLDER_NOT_FOUND', `the folder ${folder} of --directory does not exist.`);
  }
}

/** Adds the flags that select a running mcpmux. */
export function addPidFlags(result: Command): Command {
  return addConfigFlags(result).option('--pid <pid>', 'use the mcpmux with this process id', parseInteger);
}

/** Parses a positive integer. @throws InvalidArgumentError */
export function parseInteger(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError('It must be a whole number above 0.');
}

function parseSecondsAsMs(text: string): number {
  const value = Number(text) * 1000;
  if (Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError('It must be a number of seconds above 0.');
}
