import { dirname, join } from 'node:path';
import process from 'node:process';

import { CLIENTS } from '@mcpmux/clients';
import { searchOrder } from '@mcpmux/config/find';
import { findRuntime, systemSandbox, type SystemSandbox } from '@mcpmux/sandbox/engine';

import { thisProcess } from '../config/this-process.js';
import { stateFolder } from '../files/state-folder.js';
import { instanceFolder, processPlaces } from './instance-folder.js';

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
    { home, cwd, caches: join(stateFolder(places), 'sandbox'), secrets: () => secretsOf(config) },
    {
      bubblewrap: named === '' ? undefined : named,
      runtime: () => findRuntime(process.argv[1] ?? process.execPath),
    },
  );
}

/** Returns the paths that hold secrets of mcpmux and of clients. Some do not exist. */
function secretsOf(config: string | undefined): readonly string[] {
  const places = thisProcess();
  // With a variable that names the config, the search has no other place.
  const search = { ...places, projects: false, environment: { ...places.environment, MCPMUX_CONFIG: '' } };
  return [
    stateFolder(places),
    instanceFolder(processPlaces()),
    ...searchOrder(search).map(({ file }) => dirname(file)),
    ...(config === undefined ? [] : [config]),
    ...CLIENTS.map(({ userFile }) => userFile(places)).filter((file) => file !== undefined),
  ];
}
