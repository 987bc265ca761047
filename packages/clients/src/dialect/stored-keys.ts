import { isObject, type JsonObject } from '../json/json-object.js';

/** Returns the entry with the client's own keys stored under `mux.imported`. */
export function withStoredKeys(entry: JsonObject, client: string, keys: JsonObject): JsonObject {
  return Object.keys(keys).length === 0 ? entry : { ...entry, mux: { imported: { client, keys } } };
}

/** Returns the stored keys of an entry that was imported from this client. */
export function storedKeys({ mux }: JsonObject, client: string): JsonObject {
  const imported = isObject(mux) ? mux['imported'] : undefined;
  if (!isObject(imported) || imported['client'] !== client) return {};
  return isObject(imported['keys']) ? imported['keys'] : {};
}
