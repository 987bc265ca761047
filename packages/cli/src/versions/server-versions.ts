import type { ConfigEntry } from '@mcpmux/config';
import { messageOf } from '@mcpmux/core';

import { isOlder } from '../base/version-order.js';
import type { FindNewest } from './newest-version.js';
import { packageTarget, type PackageTarget } from './package-target.js';
import { isOlderPython } from './python-version.js';
import type { ConfigServers } from '../config/config-choice.js';
import { namedEntry } from '../config/named-server.js';

/** A server of the config that runs a package, and the newest version of the package. */
export interface ServerVersion {
  readonly name: string;
  readonly path: ConfigEntry['path'];
  readonly target: PackageTarget;
  /** Undefined if it could not be found. */
  readonly newest?: string;
  /** The reason why the newest version is unknown. */
  readonly problem?: string;
}

/** `newer`: there is a newer version. `unpinned`: each start may run another version. */
export type VersionStatus = 'newest' | 'newer' | 'unpinned' | 'unknown';

/** The package of a server in the config. */
type ServerPackage = Pick<ServerVersion, 'name' | 'path' | 'target'>;

/**
 * Returns the packages of the named servers, or of all. Servers without a package are left out, and so are disabled
 * servers.
 *
 * @throws CommandError SERVER_NOT_FOUND
 */
export function serverPackages(
  { reading, valueOf }: ConfigServers,
  names: readonly string[],
  file: string,
): readonly ServerPackage[] {
  const { entries } = reading;
  const chosen = names.length === 0 ? entries : names.map((name) => namedEntry(entries, name, file));
  return chosen.flatMap(({ name, path, kind }) => {
    const { command, args } = valueOf(path);
    const target = kind === 'local' ? packageTarget(command, args) : undefined;
    return target === undefined ? [] : [{ name, path, target }];
  });
}

/** Looks up the newest versions. A version that cannot be found has a problem. */
export function serverVersions(
  packages: readonly ServerPackage[],
  find: FindNewest,
): Promise<readonly ServerVersion[]> {
  return Promise.all(
    packages.map(async (server) => {
      try {
        return { ...server, newest: await find(server.target, server.name) };
      } catch (error) {
        return { ...server, problem: messageOf(error) };
      }
    }),
  );
}

/** Returns the status of a version. A pre-release after the newest release has the status `newest`. */
export function statusOf({ target: { kind, version }, newest }: ServerVersion): VersionStatus {
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
      return !isOlderPython(version, newest);
    case 'oci':
      return false;
  }
}

/** Returns a version as people read it: the first digits of a digest. */
export function shownVersion(version: string): string {
  return version.replace(/^(sha256:[a-f\d]{12})[a-f\d]+$/, '$1');
}
