import { isDeepStrictEqual } from 'node:util';

/** The effect of reloading a config. */
export interface ConfigChange {
  /** False if the config cannot be used. Nothing has changed in this case. */
  readonly isUsable: boolean;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Servers that were restarted with another configuration. */
  readonly changed: readonly string[];
  /** The problems with their positions, one line each. */
  readonly problems: readonly string[];
  /** The reasons why the config's servers are missing from the cluster of this mcpmux, one line each. */
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
