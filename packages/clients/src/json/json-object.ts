/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for an object other than `null` or an array. */
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

/** Returns the object at a key path, or undefined if the value there is absent or is not an object. */
export function objectAt(value: unknown, path: readonly string[]): JsonObject | undefined {
  const found = valueAt(value, path);
  return isObject(found) ? found : undefined;
}

/** Returns a copy with the value at a path set, or removed if `leaf` is undefined. Creates missing objects. */
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

/** Returns a copy with `map` applied to every string value, but not to keys. */
export function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item: unknown) => mapStrings(item, map));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapStrings(item, map)]));
}

/** Returns a copy of an entry with `map` applied to every string value. */
export function mapEntry(entry: JsonObject, map: (text: string) => string): JsonObject {
  const value = mapStrings(entry, map);
  return isObject(value) ? value : entry;
}

/** Returns the name and value of each entry whose value is an object. */
export function objectEntries(servers: unknown): readonly (readonly [string, JsonObject])[] {
  if (!isObject(servers)) return [];
  return Object.entries(servers).flatMap(([name, entry]) =>
    isObject(entry) ? [[name, entry] as const] : [],
  );
}
