import { isAbsolute, join } from 'node:path';

import type { ClientPlaces } from '@mcpmux/clients';

/** The environment, home folder and platform from which {@link stateFolder} derives the path. */
export type StateContext = Omit<ClientPlaces, 'cwd'>;

/** Returns the folder for the persistent state of mcpmux, such as approvals, logins and the history. */
export function stateFolder({ environment, home, platform }: StateContext): string {
  const [variable, fallback] =
    platform === 'win32'
      ? ['LOCALAPPDATA', join(home, 'AppData', 'Local')]
      : ['XDG_STATE_HOME', join(home, '.local', 'state')];
  const value = environment[variable];
  const folder = value !== undefined && isAbsolute(value) ? value : fallback;
  return join(folder, 'mcpmux');
}
