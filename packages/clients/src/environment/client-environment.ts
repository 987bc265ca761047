import { isObject, type JsonObject } from '../json/json-object.js';

/** The rules by which a client passes its own environment variables to local servers. */
export interface ClientEnvironment {
  /** Returns true if the client passes the variable to every local server. */
  passes(name: string, value: string, platform: NodeJS.Platform): boolean;
  /** Returns the names of the variables that one entry in the client's file requests or sets. */
  named(entry: JsonObject): readonly string[];
  /** Returns the entry with these variables requested too. Absent if the client's entries cannot request variables. */
  readonly withVariables?: (entry: JsonObject, names: readonly string[]) => JsonObject;
}

/** Returns the names in an entry's `env`. */
export function envNames({ env }: JsonObject): readonly string[] {
  return isObject(env) ? Object.keys(env) : [];
}

/**
 * Returns a function that adds variables to `env` as references in the client's syntax. Existing values are unchanged.
 */
export function withReferences(
  reference: (name: string) => string,
): NonNullable<ClientEnvironment['withVariables']> {
  return (entry, names) => {
    if (names.length === 0) return entry;
    const { env } = entry;
    const references = Object.fromEntries(names.map((name) => [name, reference(name)]));
    return { ...entry, env: { ...references, ...(isObject(env) && env) } };
  };
}

/** True if the set contains the name. On Windows, looks the name up in upper case. */
export function containsName(names: ReadonlySet<string>, name: string, platform: NodeJS.Platform): boolean {
  return names.has(platform === 'win32' ? name.toUpperCase() : name);
}
