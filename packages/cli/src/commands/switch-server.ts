import type { JsonObject } from '@mcpmux/clients';

import { ExitCode } from '../base/exit-code.js';
import { printResult, tell, type Action } from '../terminal/command-context.js';
import type { WriteFlags } from './config-choice.js';
import { namedEntry } from './named-server.js';
import { editConfig, editedConfig } from './write-config.js';

/** `mcpmux enable`: servers of the config are started. */
export const enable: Action<WriteFlags> = (...args) => switchServers(true, ...args);

/** `mcpmux disable`: servers of the config are not started. */
export const disable: Action<WriteFlags> = (...args) => switchServers(false, ...args);

async function switchServers(
  isOn: boolean,
  ...[context, names, flags]: Parameters<Action<WriteFlags>>
): Promise<number> {
  const { file, written } = await editConfig(context, flags, (config) =>
    names.reduce((text, name) => {
      const { path } = namedEntry(config.reading.entries, name, config.file);
      return changes(config.valueOf(path), isOn).reduce(
        (edited, [key, value]) => editedConfig(config.file, edited, [...path, key], value),
        text,
      );
    }, config.text),
  );
  if (written) tell(context, `${isOn ? 'Enabled' : 'Disabled'} ${names.join(', ')} in ${file}`);
  else if (flags.dryRun !== true) tell(context, `${names.join(', ')}: nothing to change in ${file}`);
  if (context.flags.json === true) printResult(context, { names, on: isOn, file, written }, '');
  return ExitCode.Ok;
}

/** An entry keeps its key. Without one it gets `disabled`, which most clients support. */
function changes(entry: JsonObject, isOn: boolean): readonly (readonly [string, boolean | undefined])[] {
  const ofEnabled = entry['enabled'] === undefined ? [] : [['enabled', isOn] as const];
  if (isOn) return entry['disabled'] === undefined ? ofEnabled : [['disabled', undefined], ...ofEnabled];
  return ofEnabled.length > 0 ? ofEnabled : [['disabled', true]];
}
