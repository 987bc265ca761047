import { isAbsolute, join } from 'node:path';

import type { ClientPlaces } from '@mcpmux/clients';

/** What the place of what mcpmux keeps depends on. */
export type StatePlaces = Omit<ClientPlaces, 'cwd'>;

/** Where mcpmux keeps what is no config. */
export function stateFolder({ environment, home, platform }: StatePlaces): string {
  const [variable, fallback] =
    platform === 'win32'
      ? ['LOCALAPPDATA', join(home, 'AppData', 'Local')]
      : ['XDG_STATE_HOME', join(home, '.local', 'state')];
  const value = environment[variable];
  const folder = value !== undefined && isAbsolute(value) ? value : fallback;
  return join(folder, 'mcpmux');
}
