import { join } from 'node:path';
import process from 'node:process';

import { findRuntime, systemSandbox, type SystemSandbox } from '@mcpmux/sandbox/engine';

import { thisProcess } from '../config/this-process.js';
import { stateFolder } from '../files/state-folder.js';
import { secretPaths } from './secret-places.js';

/** The environment variable for the path of a bubblewrap executable outside the usual folders. */
const BUBBLEWRAP_VARIABLE = 'MCPMUX_BWRAP';

/**
 * Returns the sandbox for servers on this machine.
 *
 * @param config the path of the config in use, which may contain other servers' secrets
 */
export function serverSandbox(config: string | undefined): SystemSandbox {
  const places = thisProcess();
  const { environment, home, cwd } = places;
  const bubblewrapPath = environment[BUBBLEWRAP_VARIABLE];
  return systemSandbox(
    { home, cwd, caches: join(stateFolder(places), 'sandbox'), secrets: () => secretPaths(config) },
    {
      bubblewrap: bubblewrapPath === '' ? undefined : bubblewrapPath,
      runtime: () => findRuntime(process.argv[1] ?? process.execPath),
    },
  );
}
