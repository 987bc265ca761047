import { qualifyTaskId, splitTaskId } from '@mcpmux/namespace';

import { isStreams } from './config/server-config.js';
import type { Upstream } from './upstream.js';

/** The part of a server that determines the ids of its tasks for clients. */
type TaskServer = Pick<Upstream, 'name'> & Partial<Pick<Upstream, 'config'>>;

/**
 * Returns the id by which clients know a task of a server. If another node runs the server, that node has already
 * qualified the id.
 */
export function clientTaskId(server: TaskServer, local: string): string {
  return isOfNode(server) ? local : qualifyTaskId(server.name, local);
}

/** Returns the id by which a server knows a task, given the id that clients know. */
export function localTaskId(server: TaskServer, shown: string): string {
  return isOfNode(server) ? shown : (splitTaskId(shown)?.local ?? shown);
}

/** True if another node of the cluster runs the server. That node also knows the principals of the tasks. */
export function isOfNode({ config }: Partial<Pick<Upstream, 'config'>>): boolean {
  return config !== undefined && isStreams(config) && config.sendsPrincipal === true;
}
