import { statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import process from 'node:process';

import type { ClientPlaces } from '@mcpmux/clients';

/** Where a config file was found, which decides what relative paths in it mean. */
export type ConfigOrigin = 'flag' | 'environment' | 'project' | 'user';

/** A place of the search order. */
export interface ConfigLocation {
  readonly file: string;
  readonly origin: ConfigOrigin;
  /** What `${workspaceFolder}` stands for, and what relative paths start from. */
  readonly folder: string;
}

/** What the search depends on. */
export interface ConfigSearch extends ClientPlaces {
  /** `--config`: a path, `false` for `--no-config`. */
  readonly flag?: string | false | undefined;
  /** False leaves out the files of projects: those of a cloned repository must not start programs unasked. */
  readonly projects?: boolean;
}

/** What is at a path: a file of another user counts only where it was asked for by name. */
export type FileKind = 'absent' | 'own' | 'foreign';

/** What the search order holds. */
export type ConfigFound =
  | { readonly kind: 'found'; readonly location: ConfigLocation }
  /** Asked for by name and not there. */
  | { readonly kind: 'missing'; readonly location: ConfigLocation }
  /** The nearest one belongs to another user, who could run programs as this one with it. */
  | { readonly kind: 'foreign'; readonly location: ConfigLocation }
  | { readonly kind: 'none' };

const PROJECT_FILES = ['mcpmux.json', join('.mcpmux', 'config.json')];

/** Whether the configs of projects count: as the flag says, otherwise as the environment does. */
export function countsProjects(flag: boolean | undefined, environment: ConfigSearch['environment']): boolean {
  return flag ?? environment['MCPMUX_PROJECT_CONFIG'] === '1';
}

/** Every place that is looked at, in order: the first file that exists is the config. */
export function searchOrder(search: ConfigSearch): readonly ConfigLocation[] {
  const { flag, cwd, environment, projects = true } = search;
  if (flag === false) return [];
  if (flag !== undefined) return [named(flag, 'flag', cwd)];
  const fromEnvironment = environment['MCPMUX_CONFIG'];
  if (fromEnvironment !== undefined && fromEnvironment !== '') {
    return [named(fromEnvironment, 'environment', cwd)];
  }
  const user: ConfigLocation = { file: userConfigFile(search), origin: 'user', folder: cwd };
  return projects ? [...projectLocations(cwd), user] : [user];
}

/** Finds the config, by one look at each place until there is one. */
export function findConfig(search: ConfigSearch, look: (file: string) => FileKind = lookAtFile): ConfigFound {
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

function named(path: string, origin: ConfigOrigin, cwd: string): ConfigLocation {
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
  // The XDG specification has relative paths ignored.
  return join(value !== undefined && isAbsolute(value) ? value : fallback, 'mcpmux', 'config.json');
}

function lookAtFile(file: string): FileKind {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined || stats.isDirectory()) return 'absent';
    const user = process.getuid?.();
    return user === undefined || stats.uid === user || stats.uid === 0 ? 'own' : 'foreign';
  } catch {
    // A folder on the way that may not be entered holds no config of this user.
    return 'absent';
  }
}
