import type { ServerStore } from '@mcpmux/core';

import type { ConfigLocation } from './config/find-config.js';
import type { StartedConfig } from './serve/serve-config.js';

/** Keeps servers in a catalog; nothing of it is loaded before the first is kept. */
export function lazyServerStore(
  location: ConfigLocation,
  started: () => Promise<StartedConfig> | undefined,
): ServerStore {
  let store: Promise<ServerStore> | undefined;
  const load = async (): Promise<ServerStore> => {
    const { CatalogStore } = await import('./catalog-store.js');
    return new CatalogStore({ location, keeper: (await started())?.keeper });
  };
  const loaded = (): Promise<ServerStore> => (store ??= load());
  return {
    save: async (name, config) => (await loaded()).save(name, config),
    delete: async (name) => (await loaded()).delete(name),
  };
}
