import { dirname } from 'node:path';

import { CLIENTS } from '@mcpmux/clients';
import { searchOrder } from '@mcpmux/config/find';

import { thisProcess } from '../config/this-process.js';
import { stateFolder } from '../files/state-folder.js';
import { instanceFolder, folderContext } from './instance-folder.js';

/**
 * Returns the files and folders that may contain secrets of mcpmux or of clients. Some may not exist.
 *
 * @param config the path of the config in use, which may contain other servers' secrets
 */
export function secretPaths(config: string | undefined): readonly string[] {
  const places = thisProcess();
  // If MCPMUX_CONFIG were set, the search would return only its path.
  const search = { ...places, projects: false, environment: { ...places.environment, MCPMUX_CONFIG: '' } };
  return [
    stateFolder(places),
    instanceFolder(folderContext()),
    ...searchOrder(search).map(({ file }) => dirname(file)),
    ...(config === undefined ? [] : [config]),
    ...CLIENTS.map(({ userFile }) => userFile(places)).filter((file) => file !== undefined),
  ];
}
