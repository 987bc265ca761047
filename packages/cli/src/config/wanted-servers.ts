import type { LoadedConfig, LoadedServer } from './load-config.js';
import { suggest } from './suggest.js';

/** Which servers of a config are started; all without either. */
export interface Selection {
  /** Their names. */
  readonly only?: readonly string[] | undefined;
  /** A profile of the config. */
  readonly profile?: string | undefined;
}

/** The servers that are started, and what cannot be: one sentence each. */
export interface Wanted {
  readonly servers: readonly LoadedServer[];
  /** Why none can be; undefined when they can. */
  readonly refusal?: string;
  readonly warnings: readonly string[];
}

/** The servers that somebody wants of a config. */
export function wantedServers({ servers, profiles }: LoadedConfig, { only, profile }: Selection): Wanted {
  if (profile !== undefined && !Object.hasOwn(profiles, profile)) {
    const names = Object.keys(profiles);
    const known = names.length === 0 ? 'it has none' : `its profiles are: ${names.join(', ')}`;
    const refusal = `the config has no profile "${profile}"${meant(profile, names)}; ${known}`;
    return { servers: [], refusal, warnings: [] };
  }
  const lists = [only, profile === undefined ? undefined : profiles[profile]].filter(
    (list) => list !== undefined,
  );
  const all = servers.map(({ name }) => name);
  const unknown = lists.flat().filter((name) => !all.includes(name));
  return {
    servers: servers.filter(({ name }) => lists.every((list) => list.includes(name))),
    warnings: [...new Set(unknown)].map((name) => `the config has no server "${name}"${meant(name, all)}`),
  };
}

function meant(name: string, names: readonly string[]): string {
  const near = suggest(name, names);
  return near === undefined ? '' : `, did you mean "${near}"?`;
}
