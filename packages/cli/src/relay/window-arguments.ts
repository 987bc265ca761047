import { isAbsolute, resolve } from 'node:path';

/** The options whose value is a path, relative to the working directory. */
const PATHS: ReadonlySet<string> = new Set(['--config', '--catalog', '--token-file']);

/** A command line of a window, as its shared process gets it. */
export interface WindowArguments {
  /** Without `serve` and `--shared`; paths are absolute. */
  readonly args: readonly string[];
  /** The config depends on the working directory: only windows of the same folder share a process. */
  readonly isPerFolder: boolean;
}

/** Reads the command line of a window, as far as it decides which windows share a process. */
export function windowArguments(
  argv: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string | undefined>>,
): WindowArguments {
  const given = argv.filter((arg, index) => arg !== '--shared' && !(index === 0 && arg === 'serve'));
  const args = given.map((arg, index) => absolute(arg, given[index - 1], cwd));
  const named = environment['MCPMUX_CONFIG'] ?? '';
  const isProject = args.includes('--project-config') || environment['MCPMUX_PROJECT_CONFIG'] === '1';
  return { args, isPerFolder: isProject || (named !== '' && !isAbsolute(named)) };
}

function absolute(arg: string, before: string | undefined, cwd: string): string {
  if (before !== undefined && PATHS.has(before)) return resolve(cwd, arg);
  const [option = '', ...rest] = arg.split('=');
  return PATHS.has(option) && rest.length > 0 ? `${option}=${resolve(cwd, rest.join('='))}` : arg;
}
