import type { JsonObject } from '@mcpmux/clients';

import { namedEntry } from '../config/named-server.js';
import { editedConfigText, type OpenConfig } from './write-config.js';

/** Returns the text of a config with a server enabled or disabled. */
export function withEnabledState(
  config: Omit<OpenConfig, 'text'>,
  text: string,
  name: string,
  isEnabled: boolean,
): string {
  const { path } = namedEntry(config.reading.entries, name, config.file);
  return keyChanges(config.valueOf(path), isEnabled).reduce(
    (edited, [key, value]) => editedConfigText(config.file, edited, [...path, key], value),
    text,
  );
}

/**
 * Returns the changes to an entry. Removes `disabled` to enable the server. Updates the key `enabled` if the entry has
 * it. Otherwise, sets `disabled` to disable the server, because more clients support this key.
 */
function keyChanges(
  entry: JsonObject,
  isEnabled: boolean,
): readonly (readonly [string, boolean | undefined])[] {
  const change = entry['enabled'] === undefined ? [] : [['enabled', isEnabled] as const];
  if (isEnabled) return entry['disabled'] === undefined ? change : [['disabled', undefined], ...change];
  return change.length > 0 ? change : [['disabled', true]];
}
