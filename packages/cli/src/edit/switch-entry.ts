import type { JsonObject } from '@mcpmux/clients';

import { namedEntry } from '../config/named-server.js';
import { editedConfig, type OpenConfig } from './write-config.js';

/** Returns the text of a config in which a server is enabled or disabled. */
export function switched(
  config: Omit<OpenConfig, 'text'>,
  text: string,
  name: string,
  isOn: boolean,
): string {
  const { path } = namedEntry(config.reading.entries, name, config.file);
  return changes(config.valueOf(path), isOn).reduce(
    (edited, [key, value]) => editedConfig(config.file, edited, [...path, key], value),
    text,
  );
}

/**
 * Returns the changes to an entry. An entry with `enabled` keeps that key. Other entries get `disabled`, which most
 * clients support.
 */
function changes(entry: JsonObject, isOn: boolean): readonly (readonly [string, boolean | undefined])[] {
  const ofEnabled = entry['enabled'] === undefined ? [] : [['enabled', isOn] as const];
  if (isOn) return entry['disabled'] === undefined ? ofEnabled : [['disabled', undefined], ...ofEnabled];
  return ofEnabled.length > 0 ? ofEnabled : [['disabled', true]];
}
