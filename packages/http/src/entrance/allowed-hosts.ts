/** Where a front listens, and under which names it may be reached besides. */
export interface HostRule {
  readonly host: string;
  readonly port: number;
  /** `name` for the port of the front and for none, `name:port` for that one. */
  readonly extra: readonly string[];
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'] as const;
const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** True when nobody but programs of this machine can reach the address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** A host as it stands in a URL. */
export function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** The values of the header Host that are served; any other comes of a name that somebody pointed here. */
export function allowedHosts({ host, port, extra }: HostRule): ReadonlySet<string> {
  const own = isLoopback(host) || WILDCARDS.has(host) ? LOOPBACK_NAMES : [urlHost(host)];
  const named = extra.map((name) => name.toLowerCase());
  const allowed = new Set([...own, ...named].map((name) => (hasPort(name) ? name : `${name}:${port}`)));
  // Without a port: what a client sends for port 80, and what a proxy in front sends for its own.
  for (const name of port === 80 ? [...own, ...named] : named) allowed.add(name);
  return allowed;
}

/** The values of the header Origin that are served: the pages of the front itself, and those that are named. */
export function allowedOrigins(hosts: ReadonlySet<string>, extra: readonly string[]): ReadonlySet<string> {
  const own = [...hosts].flatMap((host) => [`http://${host}`, `https://${host}`]);
  return new Set([...own, ...extra.map((origin) => origin.toLowerCase())]);
}

function hasPort(name: string): boolean {
  return /:\d+$/.test(name) && !name.endsWith(']');
}
