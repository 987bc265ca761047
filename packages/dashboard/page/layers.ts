import type { ServerView } from '../src/data/overview-shown.js';

/** The location of a server. A name is unique only within its layer. */
export type Place = Pick<ServerView, 'layer' | 'workspace' | 'session' | 'settings'>;

/** A layer of servers that the page can show. */
export interface Layer {
  /** Empty for the servers of all clients. */
  readonly id: string;
  /** The readable name of the layer. */
  readonly label: string;
}

/** Returns a key that distinguishes a server from all others, including servers with the same name. */
export function keyOf({ name, layer = '' }: Pick<ServerView, 'name' | 'layer'>): string {
  return `${layer}\n${name}`;
}

/** Returns the key of the server that a call or a log line belongs to. */
export function serverKey({ server, layer }: { readonly server: string; readonly layer?: string }): string {
  return keyOf({ name: server, ...(layer !== undefined && { layer }) });
}

/** Returns the name and layer of a server as its calls and log lines contain them. */
export function serverAndLayer({ name, layer }: Pick<ServerView, 'name' | 'layer'>): {
  readonly server: string;
  readonly layer?: string;
} {
  return { server: name, ...(layer !== undefined && { layer }) };
}

/** Returns the window or folder that a server belongs to. */
export function windowOf({ session, workspace }: Place): string {
  if (session !== undefined) return `session ${session}`;
  return workspace ?? 'all';
}

/** Names the server of a call or log line for readers. */
export type LabelOf = (of: { readonly server: string; readonly layer?: string }) => string;

/**
 * Returns a function that names the server of a call or log line for readers. The window is included if other servers
 * have the same name.
 */
export function labelsOf(servers: readonly ServerView[]): LabelOf {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const { name } of servers) (seen.has(name) ? shared : seen).add(name);
  const windows = new Map(servers.map((server) => [keyOf(server), windowOf(server)]));
  return (of) => {
    const window = windows.get(serverKey(of)) ?? of.layer ?? windowOf({});
    return shared.has(of.server) ? `${of.server} (${window})` : of.server;
  };
}

/**
 * Returns the layers that have servers, one for each window or folder. The layers of sessions come first, because their
 * clients also see the servers in the outer layers.
 */
export function layersOf(servers: readonly Place[]): readonly Layer[] {
  const outermostFirst = servers.toSorted((a, b) => depthOf(a) - depthOf(b));
  const innermost = new Map(outermostFirst.map((place) => [place.session ?? place.layer, place]));
  return [...innermost.values()]
    .toSorted((a, b) => Math.min(depthOf(b), SESSION) - Math.min(depthOf(a), SESSION))
    .map((place) => ({ id: place.layer ?? '', label: windowOf(place) }));
}

const SESSION = 2;

/**
 * Returns the depth of a layer. A session has its own run of a server with `isolation: session`, within the layer of
 * the servers that it has added.
 */
function depthOf({ session, workspace, settings }: Place): number {
  if (session !== undefined) return settings?.isolation === 'session' ? SESSION + 1 : SESSION;
  return workspace === undefined ? 0 : 1;
}

/** Returns the part of an address or a body that names the layer. */
export function layerQuery(layer = ''): string {
  return layer === '' ? '' : `layer=${encodeURIComponent(layer)}`;
}
