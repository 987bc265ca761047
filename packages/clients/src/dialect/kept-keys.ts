import { isObject, type JsonObject } from '../json/json-object.js';

/** Keeps what only the client knows under `mux.imported`. */
export function withKept(entry: JsonObject, client: string, keys: JsonObject): JsonObject {
  return Object.keys(keys).length === 0 ? entry : { ...entry, mux: { imported: { client, keys } } };
}

/** What was kept of an entry that came from this client. */
export function keptOf({ mux }: JsonObject, client: string): JsonObject {
  const imported = isObject(mux) ? mux['imported'] : undefined;
  if (!isObject(imported) || imported['client'] !== client) return {};
  return isObject(imported['keys']) ? imported['keys'] : {};
}
