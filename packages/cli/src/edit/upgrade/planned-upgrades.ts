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

/** Matches a version, a tag, or a range in one word. */
const VERSION = /^[\w.!+:~^*-]+$/;

/** The planned upgrades, and the servers that could not be checked. */
export interface PlannedUpgrades {
  readonly upgrades: readonly Upgrade[];
  /** The servers whose newest version cannot be found. */
  readonly unknown: readonly ServerVersion[];
}

/** Returns the servers with a newer version. A server without a version is upgraded only if it is named. */
export async function newerVersions(
  packages: ReturnType<typeof serverPackages>,
  names: readonly string[],
  find: FindNewest,
): Promise<PlannedUpgrades> {
  const versions = await serverVersions(packages, find);
  const wanted = names.length === 0 ? ['newer'] : ['newer', 'unpinned'];
  const upgrades = versions.flatMap((server) => {
    const { newest } = server;
    if (newest === undefined || !wanted.includes(statusOf(server))) return [];
    return [{ ...server, version: newest, word: withVersion(server.target, newest) }];
  });
  return { upgrades, unknown: versions.filter(({ problem }) => problem !== undefined) };
}

/**
 * Returns the upgrade of the one named server to a version.
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
  const [found] = await serverVersions([{ ...server, target: tagged }], find);
  if (found?.newest === undefined) return { upgrades: [], unknown: found === undefined ? [] : [found] };
  const word = withVersion(tagged, found.newest);
  return { upgrades: [{ ...server, version: found.newest, word }], unknown: [] };
}
