import { ExitCode } from '../base/exit-code.js';
import { printNote, printResult, type Action, type CommandContext } from '../terminal/command-context.js';
import { confirm } from '../terminal/confirm.js';
import { shellWord } from '../terminal/shell-word.js';
import { withSpinner } from '../terminal/spinner.js';
import { versionFinder } from '../versions/newest-version.js';
import { applyChange, exitCodeOfRows, UNAPPLIED, type ChangeFlags } from './apply-change.js';
import { approveUpgrades } from '../edit/upgrade/approve-upgrade.js';
import { configServers, configTextOf, flagsForConfig } from '../config/config-choice.js';
import { loadServers } from './load-servers.js';
import { spawnOptionsFinder } from '../versions/spawn-options.js';
import { serverPackages } from '../versions/server-versions.js';
import { planUpgradeTo, planUpgrades } from '../edit/upgrade/planned-upgrades.js';
import { tryUpgrade, type TriedUpgrade, withUpgrades } from '../edit/upgrade/tried-upgrade.js';
import { upgradeData, upgradeText } from './upgrade-report.js';
import { editConfig } from '../edit/write-config.js';

/** Flags of `mcpmux upgrade`. */
export interface UpgradeFlags extends ChangeFlags {
  /** The version to install for the single named server, instead of the newest version. */
  readonly to?: string;
}

/**
 * Writes newer package versions into the config. First starts each version once and prints how its tools differ. Skips
 * versions that do not start.
 */
export const upgrade: Action<UpgradeFlags> = async (context, names, flags) => {
  const { location, config: loaded } = loadServers(context, flags);
  const { file } = location;
  const config = configServers(location, configTextOf(location));
  const packages = serverPackages(config, names, file);
  const find = versionFinder(spawnOptionsFinder(context, loaded.servers));
  const work =
    flags.to === undefined
      ? planUpgrades(packages, names, find)
      : planUpgradeTo(packages, names, flags.to, find);
  const { upgrades, unknownVersions } = await withSpinner(context, 'looking up versions', work);
  for (const { name, problem = '' } of unknownVersions)
    printNote(context, `${name} stays as it is: ${problem}`);
  const results: TriedUpgrade[] = [];
  for (const serverUpgrade of upgrades) {
    const result = await tryUpgrade(context, location, serverUpgrade);
    results.push(result);
    printNote(context, upgradeText(context, result));
  }
  const usableUpgrades = results.filter(({ problem }) => problem === undefined);
  const isWritten = usableUpgrades.length > 0 && flags.dryRun !== true;
  if (isWritten) await writeUpgrades(context, usableUpgrades, flags);
  else if (results.length === 0) printNote(context, NO_UPGRADES_NOTE);
  const changed = usableUpgrades.map(({ name }) => name);
  const applied = isWritten ? await applyChange(context, location, changed, flags) : UNAPPLIED;
  const blocked = await approveUpgrades(applied.instances, usableUpgrades);
  for (const name of blocked) printNote(context, `${name} ${BLOCKED_TOOLS_NOTE}`);
  const undo = isWritten
    ? usableUpgrades.flatMap((serverUpgrade) => undoCommand(serverUpgrade, flagsForConfig(context, location)))
    : [];
  for (const undoLine of undo) printNote(context, undoLine);
  printResult(context, { file, written: isWritten, upgrades: results.map(upgradeData), ...applied }, '');
  const isComplete = unknownVersions.length === 0 && usableUpgrades.length === results.length;
  return isComplete ? exitCodeOfRows(applied.servers) : ExitCode.Unreachable;
};

const NO_UPGRADES_NOTE =
  'No package has a newer version. To upgrade mcpmux itself: npx @mcpmux/cli@latest install CLIENT';

const BLOCKED_TOOLS_NOTE =
  'has blocked tools that this command has not shown: list_servers names them, reload_server with "approve" approves them';
/** Writes the versions into the config after the user has confirmed them. */
async function writeUpgrades(
  context: CommandContext,
  usableUpgrades: readonly TriedUpgrade[],
  flags: UpgradeFlags,
): Promise<void> {
  const names = usableUpgrades.map(({ name }) => name).join(', ');
  await confirm(context, `Upgrade ${names}?`);
  const { file } = await editConfig(context, flags, (config) => withUpgrades(config, usableUpgrades));
  printNote(context, `Upgraded ${names} in ${file}`);
}

/** Returns a note with the command that undoes an upgrade. Empty for an image whose previous digest is unknown. */
function undoCommand({ name, target }: TriedUpgrade, flags: string): readonly string[] {
  const before = target.version ?? (target.kind === 'oci' ? undefined : (target.range ?? 'latest'));
  if (before === undefined) return [];
  return [`Back: mcpmux upgrade ${shellWord(name)} --to ${shellWord(before)}${flags}`];
}
