/** The files that a confined server may access, in addition to the files that every program may read. */
export interface FileSettings {
  /** Paths that are hidden by default, but that the server may read. */
  readonly allowRead?: readonly string[];
  /** Paths that the server may write, in addition to its working directory. */
  readonly allowWrite?: readonly string[];
  /** Paths to hide in addition to the default ones. */
  readonly denyRead?: readonly string[];
  /** Paths within writable folders that the server may read but not write. */
  readonly denyWrite?: readonly string[];
}

/** The domains that a confined server may access. A pattern may begin with `*.`. */
export interface DomainSettings {
  readonly allowedDomains?: readonly string[];
  readonly deniedDomains?: readonly string[];
}

/** The rights of a confined server. Paths are absolute, relative to its working directory, or begin with `~/`. */
export interface SandboxSettings {
  /** `client`: if a call describes its client's sandbox, the server gets no rights beyond that sandbox. */
  readonly follow?: 'client' | undefined;
  readonly filesystem?: FileSettings;
  /** `true` for full network access, `false` or absent for none, or the allowed domains. */
  readonly network?: boolean | DomainSettings;
}

/** A server's network access. Each value includes the access of the values before it. */
export type NetworkReach = 'none' | 'domains' | 'all';

/** Returns a server's network access. An empty list of allowed domains means no access. */
export function networkReach({ network = false }: SandboxSettings): NetworkReach {
  if (typeof network === 'boolean') return network ? 'all' : 'none';
  return (network.allowedDomains ?? []).length === 0 ? 'none' : 'domains';
}

/** Returns the allowed and denied domains from the settings. */
export function domainsOf({ network }: SandboxSettings): Required<DomainSettings> {
  const { allowedDomains = [], deniedDomains = [] } = typeof network === 'object' ? network : {};
  return { allowedDomains, deniedDomains };
}
