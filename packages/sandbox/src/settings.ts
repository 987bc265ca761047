/** The files that a confined server may use, beside the files that every program may read. */
export interface FileSettings {
  /** Paths that are hidden by default, and that the server may read. */
  readonly allowRead?: readonly string[];
  /** Paths that the server may write, in addition to its working directory. */
  readonly allowWrite?: readonly string[];
  /** Paths that are hidden, in addition to the default ones. */
  readonly denyRead?: readonly string[];
  /** Paths in writable folders that the server may only read. */
  readonly denyWrite?: readonly string[];
}

/** The domains that a confined server may reach. A pattern may begin with `*.`. */
export interface DomainSettings {
  readonly allowedDomains?: readonly string[];
  readonly deniedDomains?: readonly string[];
}

/** The rights of a confined server. Paths are absolute, relative to its working directory, or begin with `~/`. */
export interface SandboxSettings {
  readonly filesystem?: FileSettings;
  /** `false`, or absent: no network. `true`: the whole network. Domains: only these. */
  readonly network?: boolean | DomainSettings;
}

/** The reach of a server on the network. Each value includes those before it. */
export type NetworkReach = 'none' | 'domains' | 'all';

/** Returns the reach of a server on the network. Without a domain that is allowed, there is none. */
export function networkReach({ network = false }: SandboxSettings): NetworkReach {
  if (typeof network === 'boolean') return network ? 'all' : 'none';
  return (network.allowedDomains ?? []).length === 0 ? 'none' : 'domains';
}

/** Returns the allowed and the denied domains of settings. */
export function domainsOf({ network }: SandboxSettings): Required<DomainSettings> {
  const { allowedDomains = [], deniedDomains = [] } = typeof network === 'object' ? network : {};
  return { allowedDomains, deniedDomains };
}
