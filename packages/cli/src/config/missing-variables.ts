import { type ConfigContext, loadConfig, unsetVariables } from '@mcpmux/config';
import type { ConfigLocation } from '@mcpmux/config/find';

/** The servers that cannot start because of an unset variable, keyed by variable name. */
export type MissingVariables = ReadonlyMap<string, readonly string[]>;

/**
 * Returns the unset variables that a config needs, with the servers that need them. `only` selects one server by name.
 */
export function missingVariables(
  location: ConfigLocation,
  context: ConfigContext,
  only?: string,
): MissingVariables {
  const serversByVariable = new Map<string, readonly string[]>();
  for (const server of loadConfig(location, context).servers) {
    if (server.status !== 'misconfigured' || (only !== undefined && server.name !== only)) continue;
    for (const name of unsetVariables(server.problem))
      serversByVariable.set(name, [...(serversByVariable.get(name) ?? []), server.name]);
  }
  return serversByVariable;
}

/** Returns the environment with a dummy value added for each unset variable that the config needs. */
export function completeEnvironment(
  location: ConfigLocation,
  context: ConfigContext,
): ConfigContext['environment'] {
  const { environment } = context;
  const missing = missingVariables(location, context);
  const addedNames = [...missing.keys()].filter((name) => !Object.hasOwn(environment, name));
  if (addedNames.length === 0) return environment;
  // Repeat the check, because the default value of a placeholder may refer to another unset variable.
  const values = Object.fromEntries(addedNames.map((name) => [name, DUMMY_VALUE]));
  return completeEnvironment(location, { ...context, environment: { ...environment, ...values } });
}

const DUMMY_VALUE = 'set';
