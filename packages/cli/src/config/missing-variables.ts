import { type ConfigContext, loadConfig, unsetVariables } from '@mcpmux/config';
import type { ConfigLocation } from '@mcpmux/config/find';

/** Servers by the name of a variable that they cannot start without. */
export type MissingVariables = ReadonlyMap<string, readonly string[]>;

/** The variables that a config, or one server of it, misses in an environment. */
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

/** An environment in which the config misses nothing: all that it uses and is not there has some value. */
export function completed(location: ConfigLocation, context: ConfigContext): ConfigContext['environment'] {
  const { environment } = context;
  const missing = missingVariables(location, context);
  const added = [...missing.keys()].filter((name) => !Object.hasOwn(environment, name));
  if (added.length === 0) return environment;
  // A default may need a further variable.
  const values = Object.fromEntries(added.map((name) => [name, SOME_VALUE]));
  return completed(location, { ...context, environment: { ...environment, ...values } });
}

const SOME_VALUE = 'set';
