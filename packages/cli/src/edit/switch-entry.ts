import type { JsonObject } from '@mcpmux/clients';

import { namedEntry } from '../config/named-server.js';
import { editedConfigText, type ConfigToEdit } from './write-config.js';

/** Returns the config's text with a server enabled or disabled. */
export function withEnabledState(
  config: Omit<ConfigToEdit, 'text'>,
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
 * Returns the keys to change in an entry, with undefined for a key to remove. Updates `enabled` if the entry has it.
 * Enabling also removes `disabled`. Disabling an entry without `enabled` sets `disabled`, because more clients support
 * it.
 */
function keyChanges(
  entry: JsonObject,
  isEnabled: boolean,
): readonly (readonly [string, boolean | undefined])[] {
  const change = entry['enabled'] === undefined ? [] : [['enabled', isEnabled] as const];
  if (isEnabled) return entry['disabled'] === undefined ? change : [['disabled', undefined], ...change];
  return change.length > 0 ? change : [['disabled', true]];
}
