import type { ServerStore } from '@mcpmux/core';

import type { ConfigLocation } from '../config/find-config.js';
import type { StartedConfig } from './started-config.js';

/** Saves servers in a catalog. The code that does is loaded with the first one. */
export function lazyServerStore(
  location: ConfigLocation,
  started: () => Promise<StartedConfig> | undefined,
): ServerStore {
  let store: Promise<ServerStore> | undefined;
  const load = async (): Promise<ServerStore> => {
    const { CatalogStore } = await import('./catalog-store.js');
    return new CatalogStore({ location, reconciler: (await started())?.reconciler });
  };
  const loaded = (): Promise<ServerStore> => (store ??= load());
  return {
    save: async (name, config) => (await loaded()).save(name, config),
    delete: async (name) => (await loaded()).delete(name),
  };
}
