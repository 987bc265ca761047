/** Every command but `serve`: known without loading what they are made of. */
export const COMMAND_NAMES: readonly string[] = [
  'add',
  'call',
  'complete',
  'completion',
  'config',
  'disable',
  'doctor',
  'enable',
  'export',
  'get',
  'help',
  'import',
  'init',
  'inspect',
  'install',
  'list',
  'login',
  'logout',
  'logs',
  'ls',
  'reload',
  'reload-config',
  'remove',
  'rm',
  'tools',
  'top',
  'uninstall',
  'version',
];

/** Whether a command line is about one of them, or asks for help. */
export function needsCommands(args: readonly string[]): boolean {
  const first = args.find((arg) => !arg.startsWith('-'));
  if (first === 'serve') return false;
  return args.some((arg) => arg === '-h' || arg === '--help' || COMMAND_NAMES.includes(arg));
}

/** The first word, when no command is called so: what follows it cannot be understood. */
export function unknownCommand([first]: readonly string[]): string | undefined {
  const isKnown =
    first === undefined || first.startsWith('-') || first === 'serve' || COMMAND_NAMES.includes(first);
  return isKnown ? undefined : first;
}
