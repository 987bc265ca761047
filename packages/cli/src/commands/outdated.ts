import { ExitCode } from '../base/exit-code.js';
import { inColumns } from '../terminal/columns.js';
import { printNote, printResult, type Action, type CommandContext } from '../terminal/command-context.js';
import { withSpinner } from '../terminal/spinner.js';
import { versionFinder } from '../versions/newest-version.js';
import { configServers, configTextOf, type ConfigFlags } from '../config/config-choice.js';
import { loadServers } from './load-servers.js';
import { spawnOptionsFinder } from '../versions/spawn-options.js';
import {
  serverPackages,
  lookUpServerVersions,
  formatVersion,
  versionStatus,
  type ServerVersion,
} from '../versions/server-versions.js';

/** Lists the servers' packages with their current and newest versions. Changes nothing. */
export const outdated: Action<ConfigFlags> = async (context, names, flags) => {
  const { location, config } = loadServers(context, flags);
  const packages = serverPackages(configServers(location, configTextOf(location)), names, location.file);
  const work = lookUpServerVersions(packages, versionFinder(spawnOptionsFinder(context, config.servers)));
  const versions = await withSpinner(context, 'looking up versions', work);
  printResult(context, versions.map(versionData), versionsText(context, versions));
  if (versions.length === 0)
    printNote(context, 'No server runs a package of npm, PyPI or a registry of images.');
  const isOutdated = versions.some((one) => versionStatus(one) === 'newer');
  if (isOutdated) printNote(context, 'Next: mcpmux upgrade --dry-run, which shows what would change');
  return versions.some(({ problem }) => problem !== undefined) ? ExitCode.Unreachable : ExitCode.Ok;
};

function versionData(server: ServerVersion): object {
  const { name, target, newest, problem } = server;
  const { kind, name: pack, version, range } = target;
  return { name, status: versionStatus(server), kind, package: pack, version, range, newest, problem };
}

function versionsText({ streams }: CommandContext, versions: readonly ServerVersion[]): string {
  const { dim, bold } = streams.outColours;
  const rows = versions.map((server) => {
    const { target } = server;
    return [bold(server.name), dim(`${target.kind} ${target.name}`), versionText(server)];
  });
  return inColumns(rows, streams.columns);
}

function versionText(server: ServerVersion): string {
  const { target, newest = '', problem = '' } = server;
  const version = formatVersion(target.version ?? target.range ?? 'no version');
  switch (versionStatus(server)) {
    case 'newest':
      return `${version}, the newest`;
    case 'newer':
      return `${version} → ${formatVersion(newest)}`;
    case 'unpinned':
      return `${version}: each start may run another; the newest is ${formatVersion(newest)}`;
    case 'unknown':
      return `${version}; ${problem}`;
  }
}
