import { quote } from '@mcpmux/kit';
import { splitTaskId } from '@mcpmux/namespace';

import type { Edit } from '@mcpmux/wire';
import { HOST } from '../../guards/principal.js';
import type { Upstream } from '../../server/upstream.js';
import type { Caller } from '../caller/caller.js';
import type { TaskOwners } from '../request/crossing.js';
import type { Exchange } from '../request/exchange.js';
import { isOfNode, localTaskId } from '../../server/client-task-id.js';

/** A task of a server. */
export interface RoutedTask {
  readonly upstream: Upstream;
  /** As the server calls it. */
  readonly local: string;
}

/** The task that a client knows by this id. A client is not even told whether the task of another client exists. */
export function taskOf(id: string, caller: Caller, owners: TaskOwners): RoutedTask | undefined {
  const ids = splitTaskId(id);
  const upstream = ids && caller.view.directory.findServer(ids.server);
  if (ids === undefined || upstream === undefined) return undefined;
  // Another node asks for its own part: it tells each client of the tasks of that client alone.
  const isNode = caller.principal === HOST && caller.view.server !== undefined;
  // The node that runs the server knows the owners of the tasks that other nodes have begun.
  const isOfAnother = isOfNode(upstream)
    ? owners.isKnownOfAnother(caller, upstream, id)
    : owners.isTaskOfAnother(caller, upstream, id);
  return isOfAnother && !isNode ? undefined : { upstream, local: localTaskId(upstream, id) };
}

/** The task that a request names, and the edits by which its server knows it. Without one the request is answered. */
export function routeTask(
  exchange: Exchange,
  owners: TaskOwners,
): (RoutedTask & { readonly edits: readonly Edit[] }) | undefined {
  const id = exchange.text('taskId');
  const task = id && taskOf(id.text, exchange.caller, owners);
  if (id !== undefined && task !== undefined)
    return { ...task, edits: [{ span: id.span, bytes: JSON.stringify(task.local) }] };
  exchange.refuseParams(
    id === undefined ? 'params.taskId must be a string' : `Unknown task ${quote(id.text)}`,
  );
  return undefined;
}
