/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for an object that is not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value at a key path, or undefined if the path does not exist. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const key of path) {
    if (!isObject(current) || !Object.hasOwn(current, key)) return undefined;
    current = current[key];
  }
  return current;
}

/** Returns the object at a key path, or undefined if the path does not contain an object. */
export function objectAt(value: unknown, path: readonly string[]): JsonObject | undefined {
  const found = valueAt(value, path);
  return isObject(found) ? found : undefined;
}

/**
 * Returns a copy with one value replaced, or removed if `leaf` is undefined. Missing objects on the path are created.
 */
export function withValue(value: JsonObject, [key, ...rest]: readonly string[], leaf: unknown): JsonObject {
  if (key === undefined) return value;
  const inner = value[key];
  const replaced = rest.length === 0 ? leaf : withValue(isObject(inner) ? inner : {}, rest, leaf);
  if (replaced !== undefined) return { ...value, [key]: replaced };
  const { [key]: _removed, ...others } = value;
  return others;
}

/** Returns a copy without the keys whose values are undefined. */
export function defined(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined));
}

/** Returns a copy with every string value replaced. Keys are unchanged. */
export function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item: unknown) => mapStrings(item, map));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapStrings(item, map)]));
}

/** Returns a copy of an object with every string value replaced. */
export function mapEntry(entry: JsonObject, map: (text: string) => string): JsonObject {
  const value = mapStrings(entry, map);
  return isObject(value) ? value : entry;
}

/** Returns the entries whose values are objects, with their names. */
export function objectEntries(servers: unknown): readonly (readonly [string, JsonObject])[] {
  if (!isObject(servers)) return [];
  return Object.entries(servers).flatMap(([name, entry]) =>
    isObject(entry) ? [[name, entry] as const] : [],
  );
}
