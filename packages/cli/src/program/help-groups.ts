import { Command } from 'commander';

/** The headings of the help in display order, each with its commands. */
const COMMAND_GROUPS: readonly (readonly [heading: string, commands: readonly string[]])[] = [
  ['Start here:', ['init', 'search', 'add', 'import', 'install', 'doctor']],
  ['Servers:', ['list', 'get', 'remove', 'enable', 'disable', 'outdated', 'upgrade', 'login', 'logout']],
  ['Use them here:', ['tools', 'types', 'call', 'prompts', 'prompt', 'resources', 'read']],
  ['Clients:', ['export', 'uninstall']],
  [
    'Running:',
    ['serve', 'ui', 'approve', 'reload', 'logs', 'history', 'top', 'inspect', 'record', 'replay', 'skills'],
  ],
  ['One mcpmux for all windows:', ['status', 'stop', 'restart']],
  ['Several machines:', ['cluster']],
  ['Config and shell:', ['config', 'secret', 'completion', 'version', 'help']],
];

/** Examples for new users, which the help prints below the list of commands. */
export const HELP_EXAMPLES = `
Examples:
  mcpmux add npm:@modelcontextprotocol/server-memory   add a server
  mcpmux call memory.read_graph                        call one of its tools
  mcpmux install claude-code                           let a client use mcpmux

mcpmux COMMAND --help shows the options of a command, mcpmux serve --help those
of the server and the exit codes.
`;

/** The exit codes of all commands. */
export const EXIT_CODES_HELP = `
Exit codes:
  0    done; of serve: the client has closed the connection
  1    failed for a reason without a code of its own
  2    the command line or the config is invalid
  4    a server did not start, no mcpmux is running, or the keyring cannot be used
  5    the tool reported an error
  6    there is no such server, tool, config, client or file
  7    a person refused, or there was no terminal to ask on
  70   a defect of mcpmux
  130  SIGINT, 143 SIGTERM, 129 SIGHUP (128 + signal)
`;

/** Adds commands to the program in the order of the help. */
export function addInHelpOrder(program: Command, commands: readonly Command[]): void {
  const rank = ({ name }: { readonly name: string }): number => COMMAND_ORDER.indexOf(name);
  const entries = commands.map((command) => ({ name: command.name(), command }));
  for (const { command } of entries.toSorted((a, b) => rank(a) - rank(b))) program.addCommand(command);
}

const COMMAND_ORDER = COMMAND_GROUPS.flatMap(([, names]) => names);

/** Assigns each command to its heading in the help. */
export function assignHelpGroups(program: Command): void {
  for (const [heading, names] of COMMAND_GROUPS)
    for (const command of program.commands) if (names.includes(command.name())) command.helpGroup(heading);
  const help = new Command('help').argument('[command]').description('display help for command');
  program.addHelpCommand(help.helpGroup('Config and shell:'));
}

/** Formats a command for the list of commands in the help: its name and arguments, without aliases or options. */
export function subcommandTerm(command: Command): string {
  const words = command.registeredArguments.map((argument) => {
    const name = argument.variadic ? `${argument.name()}...` : argument.name();
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...words].join(' ');
}
