import type { JsonObject } from '@mcpmux/clients';

import type { ConfigLocation } from '../config/find-config.js';
import { ExitCode } from '../base/exit-code.js';
import { printResult, tell, type CommandContext } from '../terminal/command-context.js';
import { configServers, configTextOf, configToWrite } from './config-choice.js';
import { namedEntry } from './named-server.js';
import type { RemoveFlags } from './remove.js';
import { changingConfig, editedConfig, saveConfig } from './write-config.js';

/** `mcpmux enable` and `mcpmux disable`: whether a server of the config is started. */
export async function switchServers(
  context: CommandContext,
  names: readonly string[],
  flags: RemoveFlags & { readonly on: boolean },
): Promise<number> {
  const location = configToWrite(context, flags);
  const { file } = location;
  const isDryRun = flags.dryRun === true;
  const isWritten = await changingConfig(file, isDryRun, () => {
    const before = configTextOf(location);
    const after = switched(location, before, names, flags.on);
    return saveConfig(context, { file, before, after }, isDryRun);
  });
  const done = flags.on ? 'Enabled' : 'Disabled';
  if (isWritten) tell(context, `${done} ${names.join(', ')} in ${file}`);
  else if (!isDryRun) tell(context, `${names.join(', ')}: nothing to change in ${file}`);
  if (context.flags.json === true)
    printResult(context, { names, on: flags.on, file, written: isWritten }, '');
  return ExitCode.Ok;
}

function switched(location: ConfigLocation, before: string, names: readonly string[], isOn: boolean): string {
  const { file } = location;
  const { reading, valueOf } = configServers(location, before);
  let after = before;
  for (const name of names) {
    const { path } = namedEntry(reading.entries, name, file);
    for (const [key, value] of changes(valueOf(path), isOn)) {
      after = editedConfig(file, after, [...path, key], value);
    }
  }
  return after;
}

/** An entry keeps the key that it has; `disabled` is the one that most clients know. */
function changes(entry: JsonObject, isOn: boolean): readonly (readonly [string, boolean | undefined])[] {
  const ofEnabled = entry['enabled'] === undefined ? [] : [['enabled', isOn] as const];
  if (isOn) return entry['disabled'] === undefined ? ofEnabled : [['disabled', undefined], ...ofEnabled];
  return ofEnabled.length > 0 ? ofEnabled : [['disabled', true]];
}
