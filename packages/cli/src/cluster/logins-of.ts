import { loadConfig, type LoadedConfig } from '@mcpmux/config';
import type { ConfigFound } from '@mcpmux/config/find';

import { writeStderr } from '../base/terminal-output.js';
import { thisProcess } from '../config/this-process.js';
import { SavedLogins } from './saved-logins.js';

type ProcessValues = ReturnType<typeof thisProcess>;

/** Returns the logins for a config's servers, for a process that is not a cluster node. */
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

/** Returns the logins for the config that was found. Without a config, only the environment can configure a cluster. */
export function loginsOfFoundConfig(found: ConfigFound | undefined, places: ProcessValues): SavedLogins {
  return loginsOf(found?.kind === 'found' ? loadConfig(found.location, places) : undefined, places);
}
