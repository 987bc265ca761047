import { RegistryCache } from './registry-cache.js';
import { OFFICIAL_REGISTRY, RegistryClient } from './registry-client.js';
import type { StateContext } from '../files/state-folder.js';

/** The environment variable with the URL of the registry to use instead of the official one. */
const REGISTRY_VARIABLE = 'MCPMUX_REGISTRY';

/** Returns a client for the registry that the flag or else the environment names, by default the official registry. */
export function usedRegistry(places: StateContext, flag?: string): RegistryClient {
  const base = flag ?? places.environment[REGISTRY_VARIABLE] ?? '';
  return new RegistryClient(base === '' ? OFFICIAL_REGISTRY : base, new RegistryCache(places));
}
