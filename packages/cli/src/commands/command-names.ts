/** Every command but `serve` and `config`: known without loading what they are made of. */
export const COMMAND_NAMES: readonly string[] = [
  'add',
  'call',
  'complete',
  'completion',
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
  if (first === 'serve' || first === 'config') return false;
  return args.some((arg) => arg === '-h' || arg === '--help' || COMMAND_NAMES.includes(arg));
}
