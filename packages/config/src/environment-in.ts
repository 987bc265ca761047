import { isObject } from '@mcpmux/clients';

import { parseConfigText } from './config-text.js';
import { sharedEnvironment, type SharedEnvironment } from './shared-environment.js';

/**
 * Returns `mux.sharedEnvironment` from a config's text. Does not load the code that reads servers, and ignores faults
 * in other settings.
 *
 * @returns undefined if the text cannot be parsed, or if the setting is absent or invalid
 */
export function sharedEnvironmentIn(text: string): SharedEnvironment | undefined {
  const { value, syntaxErrors } = parseConfigText('', text);
  if (syntaxErrors.length > 0 || !isObject(value) || !isObject(value['mux'])) return undefined;
  return sharedEnvironment.safeParse(value['mux']['sharedEnvironment']).data;
}
