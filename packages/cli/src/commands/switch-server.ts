import type { JsonObject } from '@mcpmux/clients';

import { printResult, printNote, type Action } from '../terminal/command-context.js';
import { applyChange, exitCodeOfRows, NOWHERE, type ChangeFlags } from './apply-change.js';
import type { ConfigServers } from './config-choice.js';
import { flagsOfHolder, mergedLocation } from './config-holder.js';
import { namedEntry } from './named-server.js';
import { editConfig, editedConfig } from './write-config.js';

/** `mcpmux enable` makes mcpmux start the named servers of the config. */
export const enable: Action<ChangeFlags> = (...args) => switchServers(true, ...args);

/** `mcpmux disable` keeps mcpmux from starting the named servers of the config. */
export const disable: Action<ChangeFlags> = (...args) => switchServers(false, ...args);

async function switchServers(
  isOn: boolean,
  ...[context, names, flags]: Parameters<Action<ChangeFlags>>
): Promise<number> {
  const used = mergedLocation(context, flags);
  const edits = flagsOfHolder(context, flags, names);
  const { location, file, written } = await editConfig(context, edits, (config) =>
    names.reduce((text, name) => switched(config, text, name, isOn), config.text),
  );
  if (written) printNote(context, `${isOn ? 'Enabled' : 'Disabled'} ${names.join(', ')} in ${file}`);
  else if (flags.dryRun !== true) printNote(context, `${names.join(', ')}: nothing to change in ${file}`);
  const applied = written ? await applyChange(context, used ?? location, isOn ? names : [], flags) : NOWHERE;
  if (context.flags.json === true) printResult(context, { names, on: isOn, file, written, ...applied }, '');
  return exitCodeOfRows(applied.servers);
}

/** Returns the text of a config in which a server is enabled or disabled. */
export function switched(
  config: ConfigServers & { readonly file: string },
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
