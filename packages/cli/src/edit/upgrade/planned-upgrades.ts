import { usageError } from '../../terminal/command-error.js';
import type { FindNewestVersion } from '../../versions/newest-version.js';
import { packageArgument } from '../../versions/package-target.js';
import {
  lookUpServerVersions,
  versionStatus,
  type serverPackages,
  type ServerVersion,
} from '../../versions/server-versions.js';
import type { Upgrade } from './tried-upgrade.js';

/** Matches a version, a tag, or a range without spaces. */
const VERSION_PATTERN = /^[\w.!+:~^*-]+$/;

/** The upgrades to test, and the servers whose newest version could not be found. */
export interface PlannedUpgrades {
  readonly upgrades: readonly Upgrade[];
  readonly unknownVersions: readonly ServerVersion[];
}

/** Plans upgrades to the newest versions. Includes unpinned servers only if the user named the servers to upgrade. */
export async function planUpgrades(
  packages: ReturnType<typeof serverPackages>,
  names: readonly string[],
  findNewest: FindNewestVersion,
): Promise<PlannedUpgrades> {
  const versions = await lookUpServerVersions(packages, findNewest);
  const statuses = names.length === 0 ? ['newer'] : ['newer', 'unpinned'];
  const upgrades = versions.flatMap((server) => {
    const { newest } = server;
    if (newest === undefined || !statuses.includes(versionStatus(server))) return [];
    return [{ ...server, version: newest, argument: packageArgument(server.target, newest) }];
  });
  return { upgrades, unknownVersions: versions.filter(({ problem }) => problem !== undefined) };
}

/**
 * Plans the upgrade of the only named server to the requested version.
 *
 * @throws CommandError USAGE for several names, a server without a package, or a malformed version
 */
export async function planUpgradeTo(
  packages: ReturnType<typeof serverPackages>,
  names: readonly string[],
  requestedVersion: string,
  findNewest: FindNewestVersion,
): Promise<PlannedUpgrades> {
  const [server] = packages;
  if (names.length !== 1 || server === undefined)
    throw usageError('--to is for one server that runs a package.', 'mcpmux upgrade NAME --to VERSION');
  if (!VERSION_PATTERN.test(requestedVersion))
    throw usageError(`"${requestedVersion}" is no version.`, 'mcpmux outdated shows the versions');
  const { target } = server;
  if (target.kind !== 'oci' || requestedVersion.startsWith('sha256:')) {
    const argument =
      requestedVersion === 'latest' ? `${target.name}@latest` : packageArgument(target, requestedVersion);
    return { upgrades: [{ ...server, version: requestedVersion, argument }], unknownVersions: [] };
  }
  const tagged = { ...target, name: `${target.name.replace(/:[\w.-]+$/, '')}:${requestedVersion}` };
  const [result] = await lookUpServerVersions([{ ...server, target: tagged }], findNewest);
  if (result?.newest === undefined)
    return { upgrades: [], unknownVersions: result === undefined ? [] : [result] };
  const argument = packageArgument(tagged, result.newest);
  return { upgrades: [{ ...server, version: result.newest, argument }], unknownVersions: [] };
}
