import { CLIENT_IDS } from '@mcpmux/clients/ids';
import type { Command } from 'commander';

import { OWN_PACKAGE } from '../config/own-entry.js';
import {
  addChangeFlags,
  command,
  addConfigFlags,
  run,
  addProfileFlag,
  type OnExit,
} from './command-builder.js';

const CLIENTS_HELP = `
${wrapText(`Clients: ${CLIENT_IDS.join(', ')}.`)}
`;
const IMPORT_HELP = `${CLIENTS_HELP}Without a name, import reads all that are installed.

Examples:
  mcpmux import --dry-run                   show the servers of all clients
  mcpmux import claude-code --takeover      move them from one client into mcpmux
  mcpmux import vscode --from mcp.json      read a file elsewhere
`;
const INSTALL_HELP = `${CLIENTS_HELP}Without a name, install registers mcpmux in all that are installed.

Examples:
  mcpmux install claude-code                show the change, ask, write
  mcpmux install claude-code --shared       one mcpmux for all windows
  mcpmux install codex --pass-env           with the variables that the config uses
  mcpmux install cursor --print             only print the entry
`;
const UNINSTALL_HELP = `${CLIENTS_HELP}Without a name, uninstall removes mcpmux from all that have it.

Examples:
  mcpmux uninstall claude-code              show the change, ask, write
  mcpmux uninstall --dry-run                show the changes to all clients
`;

/** Returns the commands for MCP clients, such as `import` and `install`. */
export function clientCommands(exit: OnExit): readonly Command[] {
  const imports = addChangeFlags(command('import [client...]', 'copy the servers of clients into the config'))
    .option('--from <file>', 'read this file, in the format of the client')
    .option('--project', 'import the servers of the files of this folder too, without a question')
    .option('--takeover', 'remove the servers from the clients, and register mcpmux there')
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', IMPORT_HELP);
  const exports = addConfigFlags(
    command('export [name...]', 'print servers of the config in the format of a client'),
  ).option('-c, --client <client>', 'the client (default: the format of mcpmux)');
  addProfileFlag(exports);
  const install = command('install [client...]', 'register mcpmux in clients');
  const uninstall = command('uninstall [client...]', 'remove mcpmux from clients');
  for (const clientCommand of [install, uninstall]) {
    clientCommand
      .option('-p, --project', 'use the file of the project instead of that of the user')
      .option('--dry-run', 'only show what would change')
      .option('-y, --yes', 'do not ask');
  }
  install
    .option('--local', 'register this installation (default: in a clone)')
    .option('--no-local', `register npx ${OWN_PACKAGE} (default: where mcpmux is installed as a package)`)
    .option('--shared', 'let all windows share one mcpmux and its servers')
    .option('--pass-env', 'let the client pass on the variables that the config uses')
    .option('--print', 'only print the entries')
    .addHelpText('after', INSTALL_HELP);
  uninstall.addHelpText('after', UNINSTALL_HELP);
  const inspect = addConfigFlags(
    command('inspect [name]', 'run the MCP Inspector on mcpmux with all servers, or with one'),
  ).option('--print', 'only print the command');
  return [
    run(imports, exit, async () => (await import('./import.js')).importServers),
    run(exports, exit, async () => (await import('./export.js')).exportServers),
    run(install, exit, async () => (await import('./install.js')).install),
    run(uninstall, exit, async () => (await import('./install.js')).uninstall),
    run(inspect, exit, async () => (await import('./inspect.js')).inspect),
  ];
}

function wrapText(words: string): string {
  return words.replaceAll(/(?<line>.{1,78})(?: |$)/g, '$<line>\n').trimEnd();
}
