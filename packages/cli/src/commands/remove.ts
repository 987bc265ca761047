import { ExitCode } from '../base/exit-code.js';
import { printResult, tell, type CommandContext } from '../terminal/command-context.js';
import { configServers, configTextOf, configToWrite, type ConfigFlags } from './config-choice.js';
import { namedEntry } from './named-server.js';
import { changingConfig, editedConfig, saveConfig } from './write-config.js';

/** Flags of `mcpmux remove`. */
export interface RemoveFlags extends ConfigFlags {
  readonly dryRun?: boolean;
}

/** Takes servers out of the config: all that are named, or none. */
export async function remove(
  context: CommandContext,
  names: readonly string[],
  flags: RemoveFlags,
): Promise<number> {
  const location = configToWrite(context, flags);
  const { file } = location;
  const isDryRun = flags.dryRun === true;
  const isWritten = await changingConfig(file, isDryRun, () => {
    const before = configTextOf(location);
    const { reading } = configServers(location, before);
    const paths = names.map((name) => namedEntry(reading.entries, name, file).path);
    const after = paths.reduce((text, path) => editedConfig(file, text, path, undefined), before);
    return saveConfig(context, { file, before, after }, isDryRun);
  });
  if (isWritten) tell(context, `Removed ${names.join(', ')} from ${file}`);
  if (context.flags.json === true) printResult(context, { removed: names, file, written: isWritten }, '');
  return ExitCode.Ok;
}
