import { isObject, type JsonObject } from '../json/json-object.js';

/** Stores the client-specific keys under `mux.imported`, so that an export can restore them. */
export function withStoredKeys(entry: JsonObject, client: string, keys: JsonObject): JsonObject {
  return Object.keys(keys).length === 0 ? entry : { ...entry, mux: { imported: { client, keys } } };
}

/** Returns the keys that were stored when the entry was imported from this client, or an empty object. */
export function storedKeys({ mux }: JsonObject, client: string): JsonObject {
  const imported = isObject(mux) ? mux['imported'] : undefined;
  if (!isObject(imported) || imported['client'] !== client) return {};
  return isObject(imported['keys']) ? imported['keys'] : {};
}
