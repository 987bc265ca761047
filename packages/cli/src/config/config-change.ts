import { isDeepStrictEqual } from 'node:util';

/** The changes after a config was read again. */
export interface ConfigChange {
  /** False when the config cannot be used. Nothing has changed then. */
  readonly isUsable: boolean;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Servers that were restarted with another configuration. */
  readonly changed: readonly string[];
  /** One line each, with their positions. */
  readonly problems: readonly string[];
  /** Why the cluster of this mcpmux does not have what the config says, one line for each reason. */
  readonly clusterProblems?: readonly string[];
}

/** The names of servers whose entries have changed. */
export type NameChanges = Pick<ConfigChange, 'added' | 'removed' | 'changed'>;

/** The names that are new, gone, and there with something else behind them. */
export function difference(
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
