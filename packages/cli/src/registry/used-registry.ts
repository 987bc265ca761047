import { RegistryCache } from './registry-cache.js';
import { OFFICIAL_REGISTRY, RegistryClient } from './registry-client.js';
import type { StatePlaces } from '../files/state-folder.js';

/** Names the registry of this user, in place of the official one. */
const VARIABLE = 'MCPMUX_REGISTRY';

/** The client of the registry that a flag or the environment names. */
export function usedRegistry(places: StatePlaces, flag?: string): RegistryClient {
  const base = flag ?? places.environment[VARIABLE] ?? '';
  const parts = { cache: new RegistryCache(places), fetch: globalThis.fetch, now: Date.now };
  return new RegistryClient({ base: base === '' ? OFFICIAL_REGISTRY : base, ...parts });
}
