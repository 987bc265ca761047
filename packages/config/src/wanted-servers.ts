import type { LoadedConfig, LoadedServer } from './load-config.js';
import { didYouMean } from './suggest.js';

/** Which servers of a config are started; all without either. */
export interface Selection {
  /** Their names. */
  readonly only?: readonly string[] | undefined;
  /** A profile of the config. */
  readonly profile?: string | undefined;
}

/** The servers that are started, and the faults of the selection, one sentence each. */
export interface Wanted {
  readonly servers: readonly LoadedServer[];
  /** The reason why the selection cannot be used; undefined when it can. */
  readonly refusal?: string;
  readonly warnings: readonly string[];
}

/** Selects the servers of a config that are started. */
export function wantedServers({ servers, profiles }: LoadedConfig, { only, profile }: Selection): Wanted {
  if (profile !== undefined && !Object.hasOwn(profiles, profile)) {
    const names = Object.keys(profiles);
    const known = names.length === 0 ? 'It has no profiles.' : `Its profiles are: ${names.join(', ')}.`;
    const refusal = `the config has no profile "${profile}".${didYouMean(profile, names)} ${known}`;
    return { servers: [], refusal, warnings: [] };
  }
  const lists = [only, profile === undefined ? undefined : profiles[profile]].filter(
    (list) => list !== undefined,
  );
  const all = servers.map(({ name }) => name);
  const unknown = lists.flat().filter((name) => !all.includes(name));
  return {
    servers: servers.filter(({ name }) => lists.every((list) => list.includes(name))),
    warnings: [...new Set(unknown)].map(
      (name) => `the config has no server "${name}".${didYouMean(name, all)}`,
    ),
  };
}
