import { passedEnvironment, type Client, type ClientPlaces, type JsonObject } from '@mcpmux/clients';

import type { MissingVariables } from '../config/missing-variables.js';
import { problem, type Finding } from './finding.js';

/** The variables of a config, and the environment in which they are checked. */
export interface VariableCheck extends Pick<ClientPlaces, 'platform'> {
  /** An environment in which the config lacks no variable. */
  readonly environment: ClientPlaces['environment'];
  /** Returns the variables of the config that an environment lacks. */
  readonly missingIn: (environment: ClientPlaces['environment']) => MissingVariables;
}

/**
 * Finds the variables that a client never passes to mcpmux, whatever the client's own environment is.
 *
 * @param entry the entry of mcpmux in the client's file, as written
 */
export function checkPassed(
  client: Client,
  file: string,
  entry: JsonObject,
  { missingIn, ...places }: VariableCheck,
): readonly Finding[] {
  const passed = passedEnvironment(client, entry, places);
  if (passed === undefined) return [];
  const missing = missingIn(passed);
  if (missing.size === 0) return [];
  const needed = [...missing].map(([name, servers]) => `${name} (for ${servers.join(', ')})`).join(', ');
  const message = `does not pass on to mcpmux: ${needed}`;
  const next =
    client.environment?.withVariables === undefined
      ? `write the values into "env" of mcpmux in ${file}`
      : `mcpmux install ${client.id} --pass-env`;
  return [problem(client.id, message, next)];
}
