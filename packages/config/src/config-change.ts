import { isDeepStrictEqual } from 'node:util';

/** The effect of reloading a config. */
export interface ConfigChange {
  /** False if the config is unusable, in which case nothing has changed. */
  readonly isUsable: boolean;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Servers that were restarted because their configuration changed. */
  readonly changed: readonly string[];
  /** The config's problems with their positions in the file, one line each. */
  readonly problems: readonly string[];
  /** The reasons why servers in the config could not be published to the cluster, one line each. */
  readonly clusterProblems?: readonly string[];
}

/** The names of the servers that were added, removed or changed. */
export type NameChanges = Pick<ConfigChange, 'added' | 'removed' | 'changed'>;

/** Returns the names that are new, removed, or present with a different value. */
export function nameChanges(
  before: ReadonlyMap<string, unknown>,
  now: ReadonlyMap<string, unknown>,
): NameChanges {
  const names = [...now.keys()];
  return {
    added: names.filter((name) => !before.has(name)),
    removed: [...before.keys()].filter((name) => !now.has(name)),
    changed: names.filter((name) => before.has(name) && !isDeepStrictEqual(before.get(name), now.get(name))),
  };
}
