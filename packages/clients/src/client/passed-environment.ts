import type { JsonObject } from '../json/json-object.js';
import type { Client, ClientPlaces } from './client.js';

/**
 * Returns the environment variables that a client passes to a server, or undefined if the client's rules are unknown.
 *
 * @param entry the server's entry, as written in the client's file
 */
export function passedEnvironment(
  { environment: rules }: Client,
  entry: JsonObject,
  { environment, platform }: Pick<ClientPlaces, 'environment' | 'platform'>,
): ClientPlaces['environment'] | undefined {
  if (rules === undefined) return undefined;
  const passedEntries = Object.entries(environment).filter(
    ([name, value]) => value !== undefined && rules.passes(name, value, platform),
  );
  const namedEntries = rules.named(entry).map((name) => [name, environment[name] ?? ''] as const);
  return Object.fromEntries([...passedEntries, ...namedEntries]);
}
