import { statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import process from 'node:process';

import type { ClientPlaces } from '@mcpmux/clients';

/** The source of a config file. */
export type ConfigOrigin = 'flag' | 'environment' | 'project' | 'user';

/** A config file in the search order. */
export interface ConfigLocation {
  readonly file: string;
  readonly origin: ConfigOrigin;
  /** The value of `${workspaceFolder}`, and the base for relative paths. */
  readonly folder: string;
  /** The project config whose servers are added to this file's servers. */
  readonly project?: Pick<ConfigLocation, 'file' | 'folder'>;
}

/** The inputs to the config search. */
export interface ConfigSearch extends ClientPlaces {
  /** `--config` as a path, or `false` for `--no-config`. */
  readonly flag?: string | false | undefined;
  /**
   * If false, ignores project configs, so that a cloned repository cannot start programs without the user's consent.
   * With `merge`, adds a project's servers to the user's config. Defaults to true.
   */
  readonly projects?: boolean | 'merge';
}

/** The state of a file. An `own` file belongs to this user or root. A `foreign` project config is refused. */
export type FileKind = 'absent' | 'own' | 'foreign';

/** The result of the search. */
export type ConfigFound =
  | { readonly kind: 'found'; readonly location: ConfigLocation }
  /** The file named by the flag or the environment does not exist. */
  | { readonly kind: 'missing'; readonly location: ConfigLocation }
  /** The nearest project config belongs to another user, who could use it to run programs as this user. */
  | { readonly kind: 'foreign'; readonly location: ConfigLocation }
  | { readonly kind: 'none' };

const PROJECT_FILES = ['mcpmux.json', join('.mcpmux', 'config.json')];

/** Returns the value for {@link ConfigSearch.projects}. The flag overrides `MCPMUX_PROJECT_CONFIG`. */
export function countsProjects(
  flag: boolean | undefined,
  environment: ConfigSearch['environment'],
): boolean | 'merge' {
  const value = environment['MCPMUX_PROJECT_CONFIG'];
  return flag ?? (value === 'merge' ? value : value === '1');
}

/** Returns the locations to search, in order. The first existing file is the config. */
export function searchOrder(search: ConfigSearch): readonly ConfigLocation[] {
  const { flag, cwd, environment, projects = true } = search;
  if (flag === false) return [];
  if (flag !== undefined) return [namedLocation(flag, 'flag', cwd)];
  const fromEnvironment = environment['MCPMUX_CONFIG'];
  if (fromEnvironment !== undefined && fromEnvironment !== '') {
    return [namedLocation(fromEnvironment, 'environment', cwd)];
  }
  const user: ConfigLocation = { file: userConfigFile(search), origin: 'user', folder: cwd };
  return projects === false ? [user] : [...projectLocations(cwd), user];
}

/** Finds the config. Checks the locations in order, until one has a file. */
export function findConfig(search: ConfigSearch, look: (file: string) => FileKind = fileKind): ConfigFound {
  const found = findFirstConfig(search, look);
  const isProject = found.kind === 'found' && found.location.origin === 'project';
  if (search.projects !== 'merge' || !isProject) return found;
  const userConfig = findFirstConfig({ ...search, projects: false }, look);
  if (userConfig.kind !== 'found') return found;
  const { file, folder } = found.location;
  return { kind: 'found', location: { ...userConfig.location, project: { file, folder } } };
}

function findFirstConfig(search: ConfigSearch, look: (file: string) => FileKind): ConfigFound {
  for (const location of searchOrder(search)) {
    const isNamed = location.origin === 'flag' || location.origin === 'environment';
    const kind = look(location.file);
    if (kind === 'own' || (kind === 'foreign' && location.origin !== 'project')) {
      return { kind: 'found', location };
    }
    if (kind === 'foreign') return { kind: 'foreign', location };
    if (isNamed) return { kind: 'missing', location };
  }
  return { kind: 'none' };
}

function namedLocation(path: string, origin: ConfigOrigin, cwd: string): ConfigLocation {
  return { file: resolve(cwd, path), origin, folder: cwd };
}

function projectLocations(folder: string): readonly ConfigLocation[] {
  const here = PROJECT_FILES.map((name): ConfigLocation => ({
    file: join(folder, name),
    origin: 'project',
    folder,
  }));
  const parent = dirname(folder);
  return parent === folder ? here : [...here, ...projectLocations(parent)];
}

function userConfigFile({ home, platform, environment }: ConfigSearch): string {
  const [variable, fallback] =
    platform === 'win32'
      ? ['APPDATA', join(home, 'AppData', 'Roaming')]
      : ['XDG_CONFIG_HOME', join(home, '.config')];
  const value = environment[variable];
  // The XDG specification requires that relative paths be ignored.
  return join(value !== undefined && isAbsolute(value) ? value : fallback, 'mcpmux', 'config.json');
}

function fileKind(file: string): FileKind {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined || stats.isDirectory()) return 'absent';
    const userId = process.getuid?.();
    return userId === undefined || stats.uid === userId || stats.uid === 0 ? 'own' : 'foreign';
  } catch {
    // A folder that this user cannot enter cannot contain this user's config.
    return 'absent';
  }
}
