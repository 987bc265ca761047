import { isRecord } from '@mcpmux/kit';
import { resultBytesLine, splice } from '@mcpmux/wire';
import type { ListSpec } from '../../server/lists/list-kind.js';
import { readList } from '../../server/lists/listing.js';
import type { Upstream } from '../../server/upstream.js';
import type { Caller } from '../caller/caller.js';
import type { Exchange } from '../request/exchange.js';
import { forward } from '../request/forward.js';
import { resourceEdits, taskIdEdits, unlessBridged, type ResultReader } from '../request/result-reader.js';
import { hasCursor } from '../methods/common-methods.js';
import type { MethodParts } from '../methods/handler.js';
import { routeTask } from '../methods/task-route.js';
import { clientTaskId } from '../../server/client-task-id.js';

const TASK_LIST: ListSpec = { method: 'tasks/list', member: 'tasks', keyMember: 'taskId', noun: 'task' };

/** `tasks/result` returns the result of the original call, so its resource URIs and task ids are translated too. */
const TASK_RESULT_READERS: readonly ResultReader[] = [
  unlessBridged(resourceEdits),
  unlessBridged((line, result, { upstream }) => taskIdEdits(line, result, upstream)),
];

/** Forwards `tasks/get`, `tasks/result` or `tasks/cancel` (2025-11-25) to the server named in the task's id. */
export function forwardTaskRequest(exchange: Exchange, parts: MethodParts): void {
  const task = routeTask(exchange, parts.affinity);
  if (task === undefined) return;
  const { upstream, localId, edits } = task;
  forward(exchange, upstream, parts, { edits, readers: TASK_RESULT_READERS, subject: localId });
}

/** Answers `tasks/list` with one page: the tasks that legacy servers list and the recorded tasks of modern servers. */
export async function listTasks(exchange: Exchange, parts: MethodParts): Promise<void> {
  const { id, caller } = exchange;
  if (hasCursor(exchange)) return exchange.rejectParams('Unknown cursor: all tasks are on one page');
  const able = caller.view.directory.snapshot().upstreams.filter(canListTasks);
  const lists = await Promise.all(able.map((upstream) => tasksOf(upstream, caller, parts)));
  const entries = lists.flat().join(',');
  exchange.respond(resultBytesLine(id, Buffer.from(`{"tasks":[${entries}]}`)));
}

async function tasksOf(upstream: Upstream, caller: Caller, parts: MethodParts): Promise<readonly string[]> {
  const connection = upstream.connectionFor(caller);
  const { limits, affinity } = parts;
  if (connection === undefined) return [];
  // Servers of the modern era cannot list their tasks, so mcpmux lists the tasks that it has recorded.
  if (connection.dialect.era !== 'legacy')
    return affinity.ledger
      .tasksOf(upstream)
      .filter(({ report }) => affinity.isTaskListedFor(caller, upstream, report.taskId))
      .map(({ report }) => JSON.stringify(report));
  // A failing server must not hide the tasks of the other servers from the client.
  const listing = await readList(connection, TASK_LIST, limits, () => limits.listTimeoutMs).catch(
    () => undefined,
  );
  return (listing?.items ?? []).flatMap(({ bytes, key, keySpan }) => {
    const id = clientTaskId(upstream, key);
    if (!affinity.isTaskListedFor(caller, upstream, id)) return [];
    const taskWithClientId = splice(bytes, [{ span: keySpan, bytes: JSON.stringify(id) }]);
    return [taskWithClientId.subarray(0, -1).toString('utf8')];
  });
}

function canListTasks({ identity, connection }: Upstream): boolean {
  const tasks = identity?.capabilities['tasks'];
  if (connection?.dialect.era === 'modern') return true;
  return connection !== undefined && isRecord(tasks) && tasks['list'] !== undefined;
}
