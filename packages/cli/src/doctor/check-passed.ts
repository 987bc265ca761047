import { passedEnvironment, type Client, type ClientPlaces, type JsonObject } from '@mcpmux/clients';

import type { MissingVariables } from '../config/missing-variables.js';
import { problem, type Finding } from './finding.js';

/** The variables of a config, and the environment in which it is looked at. */
export interface VariableCheck extends Pick<ClientPlaces, 'platform'> {
  /** An environment in which the config misses nothing. */
  readonly environment: ClientPlaces['environment'];
  /** Returns the variables of the config that an environment does not have. */
  readonly missingIn: (environment: ClientPlaces['environment']) => MissingVariables;
}

/**
 * The variables that a client does not give to mcpmux, whatever environment the client itself runs in.
 *
 * @param entry that of mcpmux in the file of the client, as written
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
