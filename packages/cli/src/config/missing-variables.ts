import { type ConfigContext, loadConfig, unsetVariables } from '@mcpmux/config';
import type { ConfigLocation } from '@mcpmux/config/find';

/** Servers by the name of an unset variable without which they cannot start. */
export type MissingVariables = ReadonlyMap<string, readonly string[]>;

/** Returns the variables that a config, or one server of the config, lacks in an environment. */
export function missingVariables(
  location: ConfigLocation,
  context: ConfigContext,
  only?: string,
): MissingVariables {
  const missing = new Map<string, readonly string[]>();
  for (const server of loadConfig(location, context).servers) {
    if (server.status !== 'misconfigured' || (only !== undefined && server.name !== only)) continue;
    for (const name of unsetVariables(server.problem))
      missing.set(name, [...(missing.get(name) ?? []), server.name]);
  }
  return missing;
}

/** Returns an environment in which the config lacks no variable. Each missing variable gets a dummy value. */
export function completed(location: ConfigLocation, context: ConfigContext): ConfigContext['environment'] {
  const { environment } = context;
  const missing = missingVariables(location, context);
  const added = [...missing.keys()].filter((name) => !Object.hasOwn(environment, name));
  if (added.length === 0) return environment;
  // A default may need another variable.
  const values = Object.fromEntries(added.map((name) => [name, SOME_VALUE]));
  return completed(location, { ...context, environment: { ...environment, ...values } });
}

const SOME_VALUE = 'set';
