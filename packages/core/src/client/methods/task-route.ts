import { quote } from '@mcpmux/kit';
import { splitTaskId } from '@mcpmux/namespace';

import type { Edit } from '@mcpmux/wire';
import { isFromOtherNode } from '../../guards/principal.js';
import type { Upstream } from '../../server/upstream.js';
import type { Caller } from '../caller/caller.js';
import type { TaskOwners } from '../request/crossing.js';
import type { Exchange } from '../request/exchange.js';
import { isRunByOtherNode, localTaskId } from '../../server/client-task-id.js';

/** A task and the server that runs it. */
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
  // Requests from another cluster node pass unchecked, because that node has already checked them. A task on another
  // node's server may have been started through any node, so only tasks that are known to be another client's are
  // rejected.
  const isForeign = isRunByOtherNode(upstream)
    ? owners.isKnownForeignTask(caller, upstream, id)
    : owners.isForeignTask(caller, upstream, id);
  return isForeign && !isFromOtherNode(caller) ? undefined : { upstream, localId: localTaskId(upstream, id) };
}

/** Returns the task that a request names, and the edit that inserts the server's own id. Rejects an unknown task. */
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
