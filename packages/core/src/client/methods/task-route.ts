import { quote } from '@mcpmux/kit';
import { splitTaskId } from '@mcpmux/namespace';

import type { Edit } from '@mcpmux/wire';
import { isFromOtherNode } from '../../guards/principal.js';
import type { Upstream } from '../../server/upstream.js';
import type { Caller } from '../caller/caller.js';
import type { TaskOwners } from '../request/crossing.js';
import type { Exchange } from '../request/exchange.js';
import { isRunByOtherNode, localTaskId } from '../../server/client-task-id.js';

/** A task that a server runs. */
export interface RoutedTask {
  readonly upstream: Upstream;
  /** The server's own id for the task. */
  readonly localId: string;
}

/**
 * Returns the task that a client knows by this id, or undefined if the client may not use it. A client cannot learn
 * whether another client's task exists.
 */
export function findTask(id: string, caller: Caller, owners: TaskOwners): RoutedTask | undefined {
  const splitId = splitTaskId(id);
  const upstream = splitId && caller.view.directory.findServer(splitId.server);
  if (splitId === undefined || upstream === undefined) return undefined;
  // A request from another cluster node is not checked, because that node shows each client only its own tasks. If the
  // server runs on another node, only that node knows the owners of tasks that were started through other nodes.
  const isForeign = isRunByOtherNode(upstream)
    ? owners.isKnownForeignTask(caller, upstream, id)
    : owners.isForeignTask(caller, upstream, id);
  return isForeign && !isFromOtherNode(caller) ? undefined : { upstream, localId: localTaskId(upstream, id) };
}

/** Returns the task that a request names, and the edits that insert the server's own id. Refuses an unknown task. */
export function routeTask(
  exchange: Exchange,
  owners: TaskOwners,
): (RoutedTask & { readonly edits: readonly Edit[] }) | undefined {
  const id = exchange.textAt('taskId');
  const task = id && findTask(id.text, exchange.caller, owners);
  if (id !== undefined && task !== undefined)
    return { ...task, edits: [{ span: id.span, bytes: JSON.stringify(task.localId) }] };
  exchange.rejectParams(
    id === undefined ? 'params.taskId must be a string' : `Unknown task ${quote(id.text)}`,
  );
  return undefined;
}
