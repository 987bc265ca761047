import type { ConfigEntry } from '@mcpmux/config';
import { messageOf } from '@mcpmux/core';

import { isOlder } from '../base/version-order.js';
import type { FindNewestVersion } from './newest-version.js';
import { packageTarget, type PackageTarget } from './package-target.js';
import { isOlderPythonVersion } from './python-version.js';
import type { ParsedConfig } from '../config/config-choice.js';
import { namedEntry } from '../config/named-server.js';

/** A configured server that runs a package, and the package's newest version. */
export interface ServerVersion {
  readonly name: string;
  readonly path: ConfigEntry['path'];
  readonly target: PackageTarget;
  /** The package's newest version. Undefined if the lookup failed. */
  readonly newest?: string;
  /** The reason why the newest version is unknown. */
  readonly problem?: string;
}

/** The status of a server's version. `newer` means that a newer version exists, `unpinned` that none is configured. */
export type VersionStatus = 'newest' | 'newer' | 'unpinned' | 'unknown';

type ServerPackage = Pick<ServerVersion, 'name' | 'path' | 'target'>;

/**
 * Returns the packages of the named servers, or of all servers if `names` is empty. Skips servers without a package and
 * disabled servers.
 *
 * @throws CommandError SERVER_NOT_FOUND
 */
export function serverPackages(
  { reading, valueOf }: ParsedConfig,
  names: readonly string[],
  file: string,
): readonly ServerPackage[] {
  const { entries } = reading;
  const selected = names.length === 0 ? entries : names.map((name) => namedEntry(entries, name, file));
  return selected.flatMap(({ name, path, kind }) => {
    const { command, args } = valueOf(path);
    const target = kind === 'local' ? packageTarget(command, args) : undefined;
    return target === undefined ? [] : [{ name, path, target }];
  });
}

/** Looks up each package's newest version. If a lookup fails, sets `problem` instead of `newest`. */
export function lookUpServerVersions(
  packages: readonly ServerPackage[],
  findNewest: FindNewestVersion,
): Promise<readonly ServerVersion[]> {
  return Promise.all(
    packages.map(async (server) => {
      try {
        return { ...server, newest: await findNewest(server.target, server.name) };
      } catch (error) {
        return { ...server, problem: messageOf(error) };
      }
    }),
  );
}

/** Returns the status of a server's version. A pre-release that is later than the newest release counts as `newest`. */
export function versionStatus({ target: { kind, version }, newest }: ServerVersion): VersionStatus {
  if (newest === undefined) return 'unknown';
  if (version === undefined) return 'unpinned';
  return isCurrent(kind, version, newest) ? 'newest' : 'newer';
}

function isCurrent(kind: PackageTarget['kind'], version: string, newest: string): boolean {
  if (version === newest) return true;
  switch (kind) {
    case 'npm':
      return isOlder(newest, version);
    case 'pypi':
      return !isOlderPythonVersion(version, newest);
    case 'oci':
      return false;
  }
}

/** Formats a version for display. Shortens a digest to its first 12 digits. */
export function formatVersion(version: string): string {
  return version.replace(/^(sha256:[a-f\d]{12})[a-f\d]+$/, '$1');
}
