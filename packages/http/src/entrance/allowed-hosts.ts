/** The address a front listens on, and the additional host names clients may use. */
export interface HostRule {
  readonly host: string;
  readonly port: number;
  /** `name` allows the front's port and no port; `name:port` allows that port. */
  readonly extra: readonly string[];
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'] as const;
const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** True when only programs on this machine can reach the address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** A host in URL syntax. */
export function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** The accepted values of the header Host. Other values are refused: a foreign name may point here (DNS rebinding). */
export function allowedHosts({ host, port, extra }: HostRule): ReadonlySet<string> {
  const own = isLoopback(host) || WILDCARDS.has(host) ? LOOPBACK_NAMES : [urlHost(host)];
  const named = extra.map((name) => name.toLowerCase());
  const allowed = new Set([...own, ...named].map((name) => (hasPort(name) ? name : `${name}:${port}`)));
  // Without a port: clients omit port 80, and a proxy in front omits its own default port.
  for (const name of port === 80 ? [...own, ...named] : named) allowed.add(name);
  return allowed;
}

/** The accepted values of the header Origin: the front's own pages and the configured origins. */
export function allowedOrigins(hosts: ReadonlySet<string>, extra: readonly string[]): ReadonlySet<string> {
  const own = [...hosts].flatMap((host) => [`http://${host}`, `https://${host}`]);
  return new Set([...own, ...extra.map((origin) => origin.toLowerCase())]);
}

function hasPort(name: string): boolean {
  return /:\d+$/.test(name) && !name.endsWith(']');
}
