import { Command } from 'commander';

/** Flags of `mcpmux config path` and `mcpmux config validate`. */
export interface ConfigFlags {
  readonly config?: string | false;
  readonly json?: boolean;
}

/** `mcpmux config …`. What the commands do is loaded when one of them runs. */
export function configCommand(exit: (code: number) => void): Command {
  const group = new Command('config').description('the config file: where it is, whether it is right');
  group
    .command('path')
    .description('print the path of the config that is used')
    .action(async (_flags, command: Command) => {
      const { printConfigPath } = await import('./config-actions.js');
      exit(printConfigPath(flagsOf(command)));
    });
  group
    .command('validate')
    .description('check the config: every problem on stderr, with its position')
    .action(async (_flags, command: Command) => {
      const { validateConfig } = await import('./config-actions.js');
      exit(validateConfig(flagsOf(command)));
    });
  for (const command of group.commands) {
    command.option('--config <file>', 'this file').option('--json', 'print JSON');
  }
  group
    .command('schema')
    .description('print the JSON Schema of the config, for editors')
    .action(async () => {
      const { printConfigSchema } = await import('./config-actions.js');
      exit(printConfigSchema());
    });
  for (const command of [group, ...group.commands]) {
    command
      .exitOverride()
      .showHelpAfterError('(mcpmux --help shows all commands)')
      .allowExcessArguments(false);
  }
  return group;
}

/** `mcpmux --config x config validate` means the same as `mcpmux config validate --config x`. */
function flagsOf(command: Command): ConfigFlags {
  return command.optsWithGlobals<ConfigFlags>();
}
