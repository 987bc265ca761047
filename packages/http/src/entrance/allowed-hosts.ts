/** The address on which a front listens, and the additional host names that clients may use. */
export interface HostRule {
  readonly host: string;
  readonly port: number;
  /** `name` accepts the front's port or no port. `name:port` accepts only that port. */
  readonly extraHosts: readonly string[];
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'] as const;
const WILDCARD_ADDRESSES: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** True if only programs on this machine can reach the address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Returns a host in URL syntax. */
export function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * Returns the accepted values of the `Host` header. Any other value is rejected, because a foreign name may resolve to
 * this address (DNS rebinding).
 */
export function allowedHosts({ host, port, extraHosts }: HostRule): ReadonlySet<string> {
  const own = isLoopback(host) || WILDCARD_ADDRESSES.has(host) ? LOOPBACK_NAMES : [urlHost(host)];
  const named = extraHosts.map((name) => name.toLowerCase());
  const allowed = new Set([...own, ...named].map((name) => (hasPort(name) ? name : `${name}:${port}`)));
  // These names have no port: clients omit port 80, and a proxy omits its own default port.
  for (const name of port === 80 ? [...own, ...named] : named) allowed.add(name);
  return allowed;
}

/** Returns the accepted values of the `Origin` header: the front's own origins and the configured origins. */
export function allowedOrigins(hosts: ReadonlySet<string>, extra: readonly string[]): ReadonlySet<string> {
  const own = [...hosts].flatMap((host) => [`http://${host}`, `https://${host}`]);
  return new Set([...own, ...extra.map((origin) => origin.toLowerCase())]);
}

function hasPort(name: string): boolean {
  return /:\d+$/.test(name) && !name.endsWith(']');
}
