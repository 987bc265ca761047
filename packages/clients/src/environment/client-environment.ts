import { isObject, type JsonObject } from '../json/json-object.js';

/** Which variables of its own environment a client gives to the local servers that it starts. */
export interface ClientEnvironment {
  /** True for a variable that every local server gets. */
  passes(name: string, value: string, platform: NodeJS.Platform): boolean;
  /** The names of the variables that one entry of the client's file asks for, or sets. */
  named(entry: JsonObject): readonly string[];
  /** The entry, which asks for these variables as well; absent where an entry can only hold values. */
  readonly withVariables?: (entry: JsonObject, names: readonly string[]) => JsonObject;
}

/** The names in `env` of an entry. */
export function namedInEnv({ env }: JsonObject): readonly string[] {
  return isObject(env) ? Object.keys(env) : [];
}

/** Adds variables to `env` as references, in the client's syntax. Values that are there stay. */
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

/** A list of names; on Windows upper and lower case are the same. */
export function inList(names: ReadonlySet<string>, name: string, platform: NodeJS.Platform): boolean {
  return names.has(platform === 'win32' ? name.toUpperCase() : name);
}
