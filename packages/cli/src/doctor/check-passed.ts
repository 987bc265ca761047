import { passedEnvironment, type Client, type ClientPlaces, type JsonObject } from '@mcpmux/clients';

import type { MissingVariables } from '../config/missing-variables.js';
import { problem, type Finding } from './finding.js';

/** The data for checking whether a client passes on the variables that a config needs. */
export interface VariableCheck extends Pick<ClientPlaces, 'platform'> {
  /** An environment in which every variable that the config needs is set. */
  readonly environment: ClientPlaces['environment'];
  /** Returns the variables that the config needs and an environment lacks. */
  readonly missingVariablesIn: (environment: ClientPlaces['environment']) => MissingVariables;
}

/**
 * Reports the variables that the config needs but the client never passes to mcpmux, even if the client has them.
 *
 * @param entry mcpmux's entry in the client's file, as written
 */
export function checkPassedVariables(
  client: Client,
  file: string,
  entry: JsonObject,
  { missingVariablesIn, ...places }: VariableCheck,
): readonly Finding[] {
  const passed = passedEnvironment(client, entry, places);
  if (passed === undefined) return [];
  const missing = missingVariablesIn(passed);
  if (missing.size === 0) return [];
  const needed = [...missing].map(([name, servers]) => `${name} (for ${servers.join(', ')})`).join(', ');
  const message = `does not pass on to mcpmux: ${needed}`;
  const next =
    client.environment?.withVariables === undefined
      ? `write the values into "env" of mcpmux in ${file}`
      : `mcpmux install ${client.id} --pass-env`;
  return [problem(client.id, message, next)];
}
