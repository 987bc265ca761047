import { dirname } from 'node:path';

import { CLIENTS } from '@mcpmux/clients';
import { searchOrder } from '@mcpmux/config/find';

import { thisProcess } from '../config/this-process.js';
import { stateFolder } from '../files/state-folder.js';
import { instanceFolder, folderContext } from './instance-folder.js';

/**
 * Returns the paths that may contain secrets of mcpmux and of clients. Some of these paths may not exist.
 *
 * @param config the config in use, which may contain secrets of other servers
 */
export function secretPaths(config: string | undefined): readonly string[] {
  const places = thisProcess();
  // The variable MCPMUX_CONFIG is cleared, because it would exclude all other locations from the search.
  const search = { ...places, projects: false, environment: { ...places.environment, MCPMUX_CONFIG: '' } };
  return [
    stateFolder(places),
    instanceFolder(folderContext()),
    ...searchOrder(search).map(({ file }) => dirname(file)),
    ...(config === undefined ? [] : [config]),
    ...CLIENTS.map(({ userFile }) => userFile(places)).filter((file) => file !== undefined),
  ];
}
