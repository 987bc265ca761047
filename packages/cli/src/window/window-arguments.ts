import { isAbsolute, resolve } from 'node:path';

import { countsProjects, type ConfigSearch } from '@mcpmux/config/find';

/** The options whose value is a path, which may be relative to the working directory. */
const PATH_OPTIONS: ReadonlySet<string> = new Set(['--config', '--catalog', '--token-file']);

/** A window's parsed command line. */
export interface WindowArguments {
  /** The arguments for the shared process, with absolute paths and without `serve` and `--shared`. */
  readonly args: readonly string[];
  /** True if the config depends on the working directory, so that only windows in the same folder share a process. */
  readonly isPerFolder: boolean;
  /** The options that select the window's config. */
  readonly search: Pick<ConfigSearch, 'flag' | 'projects'>;
}

/** Parses a window's command line. Makes paths absolute, so that windows in different folders can share a process. */
export function parseWindowArguments(
  argv: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string | undefined>>,
): WindowArguments {
  const serveArguments = argv.filter((arg, index) => arg !== '--shared' && !(index === 0 && arg === 'serve'));
  const args = serveArguments.map((arg, index) => absoluteArgument(arg, serveArguments[index - 1], cwd));
  const configVariable = environment['MCPMUX_CONFIG'] ?? '';
  const projects = countsProjects(args.includes('--project-config') || undefined, environment);
  const flag = lastOptionValue('--catalog', args) ?? lastOptionValue('--config', args);
  return {
    args,
    isPerFolder: projects !== false || (configVariable !== '' && !isAbsolute(configVariable)),
    search: {
      flag: flag ?? (args.includes('--no-config') ? false : undefined),
      projects,
    },
  };
}

/** Returns the last value of an option, written as `--option value` or `--option=value`. */
function lastOptionValue(option: string, args: readonly string[]): string | undefined {
  const values = args.flatMap((arg, index) => {
    if (arg === option) return args[index + 1] ?? [];
    return arg.startsWith(`${option}=`) ? arg.slice(option.length + 1) : [];
  });
  return values.at(-1);
}

function absoluteArgument(arg: string, previous: string | undefined, cwd: string): string {
  if (previous !== undefined && PATH_OPTIONS.has(previous)) return resolve(cwd, arg);
  const [option = '', ...rest] = arg.split('=');
  return PATH_OPTIONS.has(option) && rest.length > 0 ? `${option}=${resolve(cwd, rest.join('='))}` : arg;
}
