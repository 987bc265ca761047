import { ExitCode } from '../base/exit-code.js';
import { printNote, printResult, type Action, type CommandContext } from '../terminal/command-context.js';
import { confirm } from '../terminal/confirm.js';
import { shellWord } from '../terminal/shell-word.js';
import { withSpinner } from '../terminal/spinner.js';
import { newestBy } from '../versions/newest-version.js';
import { applyChange, exitCodeOfRows, NOWHERE, type ChangeFlags } from './apply-change.js';
import { approveUpgrade } from '../edit/upgrade/approve-upgrade.js';
import { configServers, configTextOf, flagsFor } from '../config/config-choice.js';
import { loadServers } from './load-servers.js';
import { runPlaces } from '../versions/run-place.js';
import { serverPackages } from '../versions/server-versions.js';
import { chosenVersion, newerVersions } from '../edit/upgrade/planned-upgrades.js';
import { tryUpgrade, type TriedUpgrade, withUpgrades } from '../edit/upgrade/tried-upgrade.js';
import { upgradeData, upgradeText } from './upgrade-report.js';
import { editConfig } from '../edit/write-config.js';

/** Flags of `mcpmux upgrade`. */
export interface UpgradeFlags extends ChangeFlags {
  /** The version of the one named server, in place of the newest. */
  readonly to?: string;
}

/**
 * Writes newer versions of packages into the config, after it has started each version once and has shown how its tools
 * differ. A version that does not start is not written.
 */
export const upgrade: Action<UpgradeFlags> = async (context, names, flags) => {
  const { location, config: loaded } = loadServers(context, flags);
  const { file } = location;
  const config = configServers(location, configTextOf(location));
  const packages = serverPackages(config, names, file);
  const find = newestBy(runPlaces(context, loaded.servers));
  const work =
    flags.to === undefined
      ? newerVersions(packages, names, find)
      : chosenVersion(packages, names, flags.to, find);
  const { upgrades, unknown } = await withSpinner(context, 'looking up versions', work);
  for (const { name, problem = '' } of unknown) printNote(context, `${name} stays as it is: ${problem}`);
  const tried: TriedUpgrade[] = [];
  for (const one of upgrades) {
    const result = await tryUpgrade(context, location, one);
    tried.push(result);
    printNote(context, upgradeText(context, result));
  }
  const sound = tried.filter(({ problem }) => problem === undefined);
  const isWritten = sound.length > 0 && flags.dryRun !== true;
  if (isWritten) await written(context, sound, flags);
  else if (tried.length === 0) printNote(context, NOTHING);
  const changed = sound.map(({ name }) => name);
  const applied = isWritten ? await applyChange(context, location, changed, flags) : NOWHERE;
  const unseen = await approveUpgrade(applied.instances, sound);
  for (const name of unseen) printNote(context, `${name} ${BLOCKED}`);
  const ways = isWritten ? sound.flatMap((one) => wayBack(one, flagsFor(context, location))) : [];
  for (const way of ways) printNote(context, way);
  printResult(context, { file, written: isWritten, upgrades: tried.map(upgradeData), ...applied }, '');
  const isWhole = unknown.length === 0 && sound.length === tried.length;
  return isWhole ? exitCodeOfRows(applied.servers) : ExitCode.Unreachable;
};

const NOTHING =
  'No package has a newer version. To upgrade mcpmux itself: npx @mcpmux/cli@latest install CLIENT';

const BLOCKED =
  'has blocked tools that this command has not shown: list_servers names them, reload_server with "approve" approves them';
/** Writes the versions into the config, after a yes. */
async function written(
  context: CommandContext,
  sound: readonly TriedUpgrade[],
  flags: UpgradeFlags,
): Promise<void> {
  const names = sound.map(({ name }) => name).join(', ');
  await confirm(context, `Upgrade ${names}?`);
  const { file } = await editConfig(context, flags, (config) => withUpgrades(config, sound));
  printNote(context, `Upgraded ${names} in ${file}`);
}

/** Returns the command that leads back. An image without a digest has none. */
function wayBack({ name, target }: TriedUpgrade, flags: string): readonly string[] {
  const before = target.version ?? (target.kind === 'oci' ? undefined : (target.range ?? 'latest'));
  if (before === undefined) return [];
  return [`Back: mcpmux upgrade ${shellWord(name)} --to ${shellWord(before)}${flags}`];
}
