/** The files that a confined server may use, in addition to the files that every program may read. */
export interface FileSettings {
  /** Paths that the server may read although they are hidden by default. */
  readonly allowRead?: readonly string[];
  /** Paths that the server may write, in addition to its working directory. */
  readonly allowWrite?: readonly string[];
  /** Paths that are hidden in addition to the paths that are hidden by default. */
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
  /** `client`: the server has at most the rights of the sandbox that the client of a call describes, if any. */
  readonly follow?: 'client' | undefined;
  readonly filesystem?: FileSettings;
  /** `false` or absent for no network, `true` for the whole network, or the allowed domains. */
  readonly network?: boolean | DomainSettings;
}

/** The network access of a server. Each value includes the values before it. */
export type NetworkReach = 'none' | 'domains' | 'all';

/** Returns the network access of a server. A list without allowed domains gives no access. */
export function networkReach({ network = false }: SandboxSettings): NetworkReach {
  if (typeof network === 'boolean') return network ? 'all' : 'none';
  return (network.allowedDomains ?? []).length === 0 ? 'none' : 'domains';
}

/** Returns the allowed and the denied domains in the settings. */
export function domainsOf({ network }: SandboxSettings): Required<DomainSettings> {
  const { allowedDomains = [], deniedDomains = [] } = typeof network === 'object' ? network : {};
  return { allowedDomains, deniedDomains };
}
