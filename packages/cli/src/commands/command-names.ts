/** The names of all commands except `serve`. A separate list, so that `serve` starts without loading the commands. */
export const COMMAND_NAMES: readonly string[] = [
  'add',
  'approve',
  'call',
  'cluster',
  'complete',
  'completion',
  'config',
  'disable',
  'doctor',
  'enable',
  'export',
  'get',
  'help',
  'history',
  'import',
  'init',
  'inspect',
  'install',
  'list',
  'login',
  'logout',
  'logs',
  'ls',
  'outdated',
  'prompt',
  'prompts',
  'read',
  'record',
  'reload',
  'reload-config',
  'remove',
  'replay',
  'resources',
  'restart',
  'rm',
  'search',
  'secret',
  'skills',
  'status',
  'stop',
  'tools',
  'top',
  'types',
  'ui',
  'uninstall',
  'upgrade',
  'version',
];

/** True if a command line names one of these commands or asks for help. False for `serve`. */
export function needsCommands(args: readonly string[]): boolean {
  const first = args.find((arg) => !arg.startsWith('-'));
  if (first === 'serve') return false;
  return args.some((arg) => arg === '-h' || arg === '--help' || COMMAND_NAMES.includes(arg));
}

/** Returns the first argument if it is neither a command nor an option. */
export function unknownCommand([first]: readonly string[]): string | undefined {
  const isKnown =
    first === undefined || first.startsWith('-') || first === 'serve' || COMMAND_NAMES.includes(first);
  return isKnown ? undefined : first;
}
