import { isObject } from '@mcpmux/clients';

import { parseConfigText } from './config-text.js';
import { sharedEnvironment, type SharedEnvironment } from './shared-environment.js';

/**
 * Returns `mux.sharedEnvironment` from the text of a config, without loading the code that reads servers. Ignores
 * faults in other settings.
 *
 * @returns undefined if the text or the setting has a fault, or if the setting is absent
 */
export function sharedEnvironmentIn(text: string): SharedEnvironment | undefined {
  const { value, syntaxErrors } = parseConfigText('', text);
  if (syntaxErrors.length > 0 || !isObject(value) || !isObject(value['mux'])) return undefined;
  return sharedEnvironment.safeParse(value['mux']['sharedEnvironment']).data;
}
