import type { LoadedConfig, LoadedServer } from './loaded-config.js';
import { didYouMean } from './suggest.js';

/** The selection of servers to start. A server must match each member that is present. */
export interface Selection {
  /** The names of the servers to start. */
  readonly only?: readonly string[] | undefined;
  /** The name of a profile in the config. */
  readonly profile?: string | undefined;
}

/** The servers to start, and the faults in the selection. */
export interface Wanted {
  readonly servers: readonly LoadedServer[];
  /** The reason why mcpmux cannot use the selection, if any. */
  readonly refusal?: string;
  readonly warnings: readonly string[];
}

/** Returns the servers of a config that the selection allows to start. */
export function wantedServers({ servers, profiles }: LoadedConfig, { only, profile }: Selection): Wanted {
  if (profile !== undefined && !Object.hasOwn(profiles, profile)) {
    const names = Object.keys(profiles);
    const profileList = names.length === 0 ? 'It has no profiles.' : `Its profiles are: ${names.join(', ')}.`;
    const refusal = `the config has no profile "${profile}".${didYouMean(profile, names)} ${profileList}`;
    return { servers: [], refusal, warnings: [] };
  }
  const lists = [only, profile === undefined ? undefined : profiles[profile]].filter(
    (list) => list !== undefined,
  );
  const allNames = servers.map(({ name }) => name);
  const unknownNames = lists.flat().filter((name) => !allNames.includes(name));
  return {
    servers: servers.filter(({ name }) => lists.every((list) => list.includes(name))),
    warnings: [...new Set(unknownNames)].map(
      (name) => `the config has no server "${name}".${didYouMean(name, allNames)}`,
    ),
  };
}
