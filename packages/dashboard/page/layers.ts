import type { Server } from './overview.js';

/** Where a server is: a name is unique only within its layer. */
export type Place = Pick<Server, 'layer' | 'workspace' | 'session' | 'settings'>;

/** A layer of servers that the page can look into. */
export interface Layer {
  /** Empty for the servers of all clients. */
  readonly id: string;
  /** Names the layer for readers. */
  readonly label: string;
}

/** Tells a server from every other one, also from those of the same name. */
export function keyOf({ name, layer = '' }: Pick<Server, 'name' | 'layer'>): string {
  return `${layer}\n${name}`;
}

/** The key of the server that a call or a line of the log is of. */
export function serverKey({ server, layer }: { readonly server: string; readonly layer?: string }): string {
  return keyOf({ name: server, ...(layer !== undefined && { layer }) });
}

/** A server, as its calls and the lines of its log name it. */
export function named({ name, layer }: Pick<Server, 'name' | 'layer'>): {
  readonly server: string;
  readonly layer?: string;
} {
  return { server: name, ...(layer !== undefined && { layer }) };
}

/** The window or folder that a server belongs to. */
export function windowOf({ session, workspace }: Place): string {
  if (session !== undefined) return `session ${session}`;
  return workspace ?? 'all';
}

/** Returns how readers tell the server of a call or of a line: by its name, and by its window if others have the name, too. */
export function labelsOf(
  servers: readonly Server[],
): (of: { readonly server: string; readonly layer?: string }) => string {
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
 * The layers that have servers, one for each window or folder: those of sessions first, because their clients also see the
 * servers of the layers around them.
 */
export function layersOf(servers: readonly Place[]): readonly Layer[] {
  const outermostFirst = servers.toSorted((a, b) => depthOf(a) - depthOf(b));
  const innermost = new Map(outermostFirst.map((place) => [place.session ?? place.layer, place]));
  return [...innermost.values()]
    .toSorted((a, b) => Math.min(depthOf(b), SESSION) - Math.min(depthOf(a), SESSION))
    .map((place) => ({ id: place.layer ?? '', label: windowOf(place) }));
}

const SESSION = 2;

/** A session has its own run of a server with `isolation: session`, within the layer of the servers that it has added. */
function depthOf({ session, workspace, settings }: Place): number {
  if (session !== undefined) return settings?.isolation === 'session' ? SESSION + 1 : SESSION;
  return workspace === undefined ? 0 : 1;
}

/** The part of an address or a body that names the layer. */
export function layerQuery(layer = ''): string {
  return layer === '' ? '' : `layer=${encodeURIComponent(layer)}`;
}
