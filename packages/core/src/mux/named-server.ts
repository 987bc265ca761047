import type { Upstream } from '../server/upstream.js';
import type { ServerPlace } from './server-place.js';

/** Members of an event that identify its server. A server of all clients has no layer, which saves bytes. */
export interface NamedServer extends ServerPlace {
  readonly server: string;
}

/** Returns the name of a server, and its layer if the server is in a workspace or session. */
export function namedServer({ name: server, layer }: Pick<Upstream, 'name' | 'layer'>): NamedServer {
  return layer.isShared ? { server } : { server, layer: layer.id };
}
