import type { Command } from 'commander';

import {
  addChangeFlags,
  command,
  addConfigFlags,
  run,
  addProfileFlag,
  addStartFlags,
  addWriteFlags,
  type OnExit,
} from './command-builder.js';

/** Returns the commands `config`, `secret`, `init`, `get`, `doctor` and `version`. */
export function configCommands(exit: OnExit): readonly Command[] {
  const config = command('config', 'read, change, check and edit the config, or print its path or schema');
  for (const subcommand of configSubcommands(exit)) config.addCommand(subcommand);
  const init = addWriteFlags(
    command('init', 'write an empty config: your own, or mcpmux.json here with --scope project'),
  ).option('-y, --yes', 'do not ask');
  const get = addConfigFlags(command('get <name>', 'show a server of the config without secret values'));
  const doctor = addStartFlags(
    command('doctor [name]', 'find problems that keep servers from working, and say what to do'),
  );
  addProfileFlag(doctor);
  const version = command('version', 'print the version');
  return [
    config,
    secretCommand(exit),
    run(init, exit, async () => (await import('./init.js')).init),
    run(get, exit, async () => (await import('./get.js')).get),
    run(doctor, exit, async () => (await import('./doctor.js')).doctor),
    run(version, exit, async () => (await import('./version.js')).version),
  ];
}

function secretCommand(exit: OnExit): Command {
  const set = command('set <secret>', 'save a secret; its value is asked for, or read from stdin');
  const list = command('list', 'list the names of the secrets');
  const remove = command('remove <secret...>', 'delete secrets');
  return command('secret', 'save secrets in the keyring of the system, for ${secret:NAME} in a config')
    .addCommand(run(set, exit, async () => (await import('./secret.js')).setSecret))
    .addCommand(run(list, exit, async () => (await import('./secret.js')).listSecrets))
    .addCommand(run(remove, exit, async () => (await import('./secret.js')).removeSecrets));
}

function configSubcommands(exit: OnExit): readonly Command[] {
  const path = command('path', 'print the path of the config that is used');
  const validate = command('validate', 'check the config: every problem on stderr, with its position');
  const get = addConfigFlags(
    command('get [path]', 'print the config, or the value at a path such as mcpServers.NAME.env'),
  );
  const set = addChangeFlags(command('set <path> <value>', 'write a value: JSON, or else a text'));
  const unset = addChangeFlags(command('unset <path>', 'remove a value'));
  const edit = command('edit', 'open the config in your editor (VISUAL or EDITOR), then check it');
  for (const subcommand of [path, validate, edit]) addConfigFlags(subcommand);
  const schema = command('schema', 'print the JSON Schema of the config, for editors');
  return [
    run(path, exit, async () => (await import('./config-actions.js')).printConfigPath),
    run(validate, exit, async () => (await import('./config-actions.js')).validateConfig),
    run(get, exit, async () => (await import('./config-values.js')).getConfigValue),
    run(set, exit, async () => (await import('./config-values.js')).setConfigValue),
    run(unset, exit, async () => (await import('./config-values.js')).unsetConfigValue),
    run(edit, exit, async () => (await import('./config-edit.js')).editConfigFile),
    run(schema, exit, async () => (await import('./config-actions.js')).printConfigSchema),
  ];
}
