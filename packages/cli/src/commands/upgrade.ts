import { ExitCode } from '../base/exit-code.js';
import { printNote, printResult, type Action, type CommandContext } from '../terminal/command-context.js';
import { confirm } from '../terminal/confirm.js';
import { shellWord } from '../terminal/shell-word.js';
import { withSpinner } from '../terminal/spinner.js';
import { versionFinder } from '../versions/newest-version.js';
import { applyChange, exitCodeOfRows, UNUSED, type ChangeFlags } from './apply-change.js';
import { approveUpgrade } from '../edit/upgrade/approve-upgrade.js';
import { configServers, configTextOf, flagsFor } from '../config/config-choice.js';
import { loadServers } from './load-servers.js';
import { spawnOptionsFinder } from '../versions/spawn-options.js';
import { serverPackages } from '../versions/server-versions.js';
import { chosenVersion, newerVersions } from '../edit/upgrade/planned-upgrades.js';
import { tryUpgrade, type TriedUpgrade, withUpgrades } from '../edit/upgrade/tried-upgrade.js';
import { upgradeData, upgradeText } from './upgrade-report.js';
import { editConfig } from '../edit/write-config.js';

/** Flags of `mcpmux upgrade`. */
export interface UpgradeFlags extends ChangeFlags {
  /** The version for the single named server, instead of the newest. */
  readonly to?: string;
}

/**
 * Writes newer versions of packages into the config. First starts each version once and shows how its tools differ.
 * Skips versions that do not start.
 */
export const upgrade: Action<UpgradeFlags> = async (context, names, flags) => {
  const { location, config: loaded } = loadServers(context, flags);
  const { file } = location;
  const config = configServers(location, configTextOf(location));
  const packages = serverPackages(config, names, file);
  const find = versionFinder(spawnOptionsFinder(context, loaded.servers));
  const work =
    flags.to === undefined
      ? newerVersions(packages, names, find)
      : chosenVersion(packages, names, flags.to, find);
  const { upgrades, unknown } = await withSpinner(context, 'looking up versions', work);
  for (const { name, problem = '' } of unknown) printNote(context, `${name} stays as it is: ${problem}`);
  const results: TriedUpgrade[] = [];
  for (const one of upgrades) {
    const result = await tryUpgrade(context, location, one);
    results.push(result);
    printNote(context, upgradeText(context, result));
  }
  const working = results.filter(({ problem }) => problem === undefined);
  const isWritten = working.length > 0 && flags.dryRun !== true;
  if (isWritten) await writeUpgrades(context, working, flags);
  else if (results.length === 0) printNote(context, NOTHING_NEWER);
  const changed = working.map(({ name }) => name);
  const applied = isWritten ? await applyChange(context, location, changed, flags) : UNUSED;
  const blocked = await approveUpgrade(applied.instances, working);
  for (const name of blocked) printNote(context, `${name} ${BLOCKED}`);
  const undo = isWritten ? working.flatMap((one) => undoCommand(one, flagsFor(context, location))) : [];
  for (const way of undo) printNote(context, way);
  printResult(context, { file, written: isWritten, upgrades: results.map(upgradeData), ...applied }, '');
  const isComplete = unknown.length === 0 && working.length === results.length;
  return isComplete ? exitCodeOfRows(applied.servers) : ExitCode.Unreachable;
};

const NOTHING_NEWER =
  'No package has a newer version. To upgrade mcpmux itself: npx @mcpmux/cli@latest install CLIENT';

const BLOCKED =
  'has blocked tools that this command has not shown: list_servers names them, reload_server with "approve" approves them';
/** Writes the versions into the config after a confirmation. */
async function writeUpgrades(
  context: CommandContext,
  working: readonly TriedUpgrade[],
  flags: UpgradeFlags,
): Promise<void> {
  const names = working.map(({ name }) => name).join(', ');
  await confirm(context, `Upgrade ${names}?`);
  const { file } = await editConfig(context, flags, (config) => withUpgrades(config, working));
  printNote(context, `Upgraded ${names} in ${file}`);
}

/** Returns the command that undoes an upgrade, or an empty list for an image that had no digest. */
function undoCommand({ name, target }: TriedUpgrade, flags: string): readonly string[] {
  const before = target.version ?? (target.kind === 'oci' ? undefined : (target.range ?? 'latest'));
  if (before === undefined) return [];
  return [`Back: mcpmux upgrade ${shellWord(name)} --to ${shellWord(before)}${flags}`];
}
