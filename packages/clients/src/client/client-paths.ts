import { isAbsolute, join } from 'node:path';

import type { ClientPlaces } from './client.js';

/** Where programs keep their settings: `~/Library/Application Support`, `%APPDATA%`, or `~/.config`. */
export function settingsFolder({ home, platform, environment }: ClientPlaces): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return environment['APPDATA'] ?? join(home, 'AppData', 'Roaming');
  return configHome({ home, environment });
}

/** `$XDG_CONFIG_HOME`, or `~/.config`. */
export function configHome({ home, environment }: Pick<ClientPlaces, 'home' | 'environment'>): string {
  const value = environment['XDG_CONFIG_HOME'];
  return value !== undefined && isAbsolute(value) ? value : join(home, '.config');
}

/** A file in the home folder, or in the folder that a variable names instead. */
export function homeFile(
  { home, environment }: ClientPlaces,
  folder: string,
  name: string,
  variable?: string,
): string {
  const moved = variable === undefined ? undefined : environment[variable];
  return join(moved === undefined || moved === '' ? join(home, folder) : moved, name);
}
