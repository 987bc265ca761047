import { loadConfig, type LoadedConfig } from '@mcpmux/config';
import type { ConfigFound } from '@mcpmux/config/find';

import { writeStderr } from '../base/terminal-output.js';
import { thisProcess } from '../config/this-process.js';
import { SavedLogins } from './saved-logins.js';

/** The values of this process that determine where logins are stored. */
type ProcessValues = ReturnType<typeof thisProcess>;

/** Returns the logins for a config's servers, as used by a process that is not a node. */
export function loginsOf(
  config?: Pick<LoadedConfig, 'cluster' | 'file'>,
  places: ProcessValues = thisProcess(),
): SavedLogins {
  const warn = (_url: string, problem: string): void => writeStderr(`mcpmux: ${problem}.\n`);
  return new SavedLogins({
    flags: {},
    settings: config?.cluster,
    file: config?.file,
    places,
    warn,
  });
}

/** Returns the logins for the config that a search found, or for no config if it found none. */
export function loginsOfFoundConfig(found: ConfigFound | undefined, places: ProcessValues): SavedLogins {
  return loginsOf(found?.kind === 'found' ? loadConfig(found.location, places) : undefined, places);
}
