import { usage } from '../../terminal/command-error.js';
import type { FindNewest } from '../../versions/newest-version.js';
import { withVersion } from '../../versions/package-target.js';
import {
  serverVersions,
  statusOf,
  type serverPackages,
  type ServerVersion,
} from '../../versions/server-versions.js';
import type { Upgrade } from './tried-upgrade.js';

/** Matches a version, a tag, or a range without spaces. */
const VERSION = /^[\w.!+:~^*-]+$/;

/** The result of planning upgrades. */
export interface PlannedUpgrades {
  readonly upgrades: readonly Upgrade[];
  /** The servers whose newest version could not be found. */
  readonly unknown: readonly ServerVersion[];
}

/** Plans the upgrades of servers with a newer version. Includes a server without a version only if it is named. */
export async function newerVersions(
  packages: ReturnType<typeof serverPackages>,
  names: readonly string[],
  find: FindNewest,
): Promise<PlannedUpgrades> {
  const versions = await serverVersions(packages, find);
  const statuses = names.length === 0 ? ['newer'] : ['newer', 'unpinned'];
  const upgrades = versions.flatMap((server) => {
    const { newest } = server;
    if (newest === undefined || !statuses.includes(statusOf(server))) return [];
    return [{ ...server, version: newest, word: withVersion(server.target, newest) }];
  });
  return { upgrades, unknown: versions.filter(({ problem }) => problem !== undefined) };
}

/**
 * Plans the upgrade of the single named server to a version.
 *
 * @throws CommandError USAGE
 */
export async function chosenVersion(
  packages: ReturnType<typeof serverPackages>,
  names: readonly string[],
  to: string,
  find: FindNewest,
): Promise<PlannedUpgrades> {
  const [server] = packages;
  if (names.length !== 1 || server === undefined)
    throw usage('--to is for one server that runs a package.', 'mcpmux upgrade NAME --to VERSION');
  if (!VERSION.test(to)) throw usage(`"${to}" is no version.`, 'mcpmux outdated shows the versions');
  const { target } = server;
  if (target.kind !== 'oci' || to.startsWith('sha256:')) {
    const word = to === 'latest' ? `${target.name}@latest` : withVersion(target, to);
    return { upgrades: [{ ...server, version: to, word }], unknown: [] };
  }
  const tagged = { ...target, name: `${target.name.replace(/:[\w.-]+$/, '')}:${to}` };
  const [result] = await serverVersions([{ ...server, target: tagged }], find);
  if (result?.newest === undefined) return { upgrades: [], unknown: result === undefined ? [] : [result] };
  const word = withVersion(tagged, result.newest);
  return { upgrades: [{ ...server, version: result.newest, word }], unknown: [] };
}
