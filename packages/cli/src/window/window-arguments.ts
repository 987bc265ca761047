import { isAbsolute, resolve } from 'node:path';

import { countsProjects, type ConfigSearch } from '@mcpmux/config/find';

/** The options whose value is a path, relative to the working directory. */
const PATHS: ReadonlySet<string> = new Set(['--config', '--catalog', '--token-file']);

/** A window's command line in the form that its shared process gets. */
export interface WindowArguments {
  /** Without `serve` and `--shared`; paths are absolute. */
  readonly args: readonly string[];
  /** True if the config depends on the working directory, so that only windows in the same folder share a process. */
  readonly isPerFolder: boolean;
  /** The search parameters for the window's config. */
  readonly search: Pick<ConfigSearch, 'flag' | 'projects'>;
}

/** Reads the parts of a window's command line that decide which windows share a process. */
export function windowArguments(
  argv: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string | undefined>>,
): WindowArguments {
  const given = argv.filter((arg, index) => arg !== '--shared' && !(index === 0 && arg === 'serve'));
  const args = given.map((arg, index) => absolute(arg, given[index - 1], cwd));
  const named = environment['MCPMUX_CONFIG'] ?? '';
  const projects = countsProjects(args.includes('--project-config') || undefined, environment);
  const flag = valueOf('--catalog', args) ?? valueOf('--config', args);
  return {
    args,
    isPerFolder: projects !== false || (named !== '' && !isAbsolute(named)),
    search: {
      flag: flag ?? (args.includes('--no-config') ? false : undefined),
      projects,
    },
  };
}

/** Returns the last value of an option that is given as `--option value` or `--option=value`. */
function valueOf(option: string, args: readonly string[]): string | undefined {
  const values = args.flatMap((arg, index) => {
    if (arg === option) return args[index + 1] ?? [];
    return arg.startsWith(`${option}=`) ? arg.slice(option.length + 1) : [];
  });
  return values.at(-1);
}

function absolute(arg: string, before: string | undefined, cwd: string): string {
  if (before !== undefined && PATHS.has(before)) return resolve(cwd, arg);
  const [option = '', ...rest] = arg.split('=');
  return PATHS.has(option) && rest.length > 0 ? `${option}=${resolve(cwd, rest.join('='))}` : arg;
}
