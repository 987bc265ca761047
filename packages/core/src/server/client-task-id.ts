import { qualifyTaskId, splitTaskId } from '@mcpmux/namespace';

import { isStreams } from './config/server-config.js';
import type { Upstream } from './upstream.js';

/** A server by what its tasks are named with. */
type TaskServer = Pick<Upstream, 'name'> & Partial<Pick<Upstream, 'config'>>;

/** The id by which clients know a task of a server. Where another node runs the server, that node has named it already. */
export function clientTaskId(server: TaskServer, local: string): string {
  return isOfNode(server) ? local : qualifyTaskId(server.name, local);
}

/** The id by which a server knows a task that clients know by this id. */
export function localTaskId(server: TaskServer, shown: string): string {
  return isOfNode(server) ? shown : (splitTaskId(shown)?.local ?? shown);
}

/** True if another node of the cluster runs the server, and knows the principals of its tasks. */
export function isOfNode({ config }: Partial<Pick<Upstream, 'config'>>): boolean {
  return config !== undefined && isStreams(config) && config.sendsPrincipal === true;
}
