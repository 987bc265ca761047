import { join } from 'node:path';
import process from 'node:process';

import { findRuntime, systemSandbox, type SystemSandbox } from '@mcpmux/sandbox/engine';

import { thisProcess } from '../config/this-process.js';
import { stateFolder } from '../files/state-folder.js';
import { secretPlaces } from './secret-places.js';

/** The variable that names a bubblewrap in another place than those of packages. */
const BUBBLEWRAP = 'MCPMUX_BWRAP';

/**
 * Returns the sandbox of servers on this machine.
 *
 * @param config the config in use, which holds secrets of other servers
 */
export function serverSandbox(config: string | undefined): SystemSandbox {
  const places = thisProcess();
  const { environment, home, cwd } = places;
  const named = environment[BUBBLEWRAP];
  return systemSandbox(
    { home, cwd, caches: join(stateFolder(places), 'sandbox'), secrets: () => secretPlaces(config) },
    {
      bubblewrap: named === '' ? undefined : named,
      runtime: () => findRuntime(process.argv[1] ?? process.execPath),
    },
  );
}
