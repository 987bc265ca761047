import type { ConfigContext, LoadedConfig } from '@mcpmux/config';
import { chainVariable, readyServers, type ReadyServer, registeredServers } from '@mcpmux/config/follow';

import type { StateContext } from '../files/state-folder.js';
import { RememberedCatalog, rememberedCatalogFile } from './remembered-catalog.js';
import { thisProcess } from './this-process.js';

/** A config's startable servers, as registered with a mux, and the lists saved from their last runs. */
export interface LastRuns {
  readonly servers: readonly ReadyServer[];
  readonly memory: RememberedCatalog;
}

/** Returns a config's startable servers, and reads the lists saved from their last runs. */
export function readLastRuns(
  { file, servers }: Pick<LoadedConfig, 'file' | 'servers'>,
  environment: ConfigContext['environment'],
  places: StateContext = thisProcess(),
): LastRuns {
  const ready = readyServers(registeredServers(servers, chainVariable(file, environment)));
  return { servers: [...ready.values()], memory: new RememberedCatalog(rememberedCatalogFile(file, places)) };
}
