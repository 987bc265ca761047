import { qualifyTaskId, splitTaskId } from '@mcpmux/namespace';

import { isStreams } from './config/server-config.js';
import type { Upstream } from './upstream.js';

/** The properties of a server that determine which ids clients see for its tasks. */
type TaskServer = Pick<Upstream, 'name'> & Partial<Pick<Upstream, 'config'>>;

/** Returns a task's id as clients see it. If another node runs the server, that node has already qualified the id. */
export function clientTaskId(server: TaskServer, local: string): string {
  return isRunByOtherNode(server) ? local : qualifyTaskId(server.name, local);
}

/** Returns the server's own id for a task, given the id that clients use. */
export function localTaskId(server: TaskServer, shown: string): string {
  return isRunByOtherNode(server) ? shown : (splitTaskId(shown)?.local ?? shown);
}

/** True if another node of the cluster runs the server. That node also records which principal owns each task. */
export function isRunByOtherNode({ config }: Partial<Pick<Upstream, 'config'>>): boolean {
  return config !== undefined && isStreams(config) && config.sendsPrincipal === true;
}
