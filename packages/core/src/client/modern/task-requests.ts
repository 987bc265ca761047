import { errorLine } from '@mcpmux/wire';
import type { MethodParts } from '../methods/handler.js';
import { routeTask } from '../methods/task-route.js';
import type { Exchange } from '../request/exchange.js';
import { forward } from '../request/forward.js';
import { declaresTasks, tasksRequired } from '../../server/dialect/tasks-extension.js';

/** Handles `tasks/get`, `tasks/update`, `tasks/cancel`: the id says which server. The crossing reads the answer. */
export function forwardToTask(exchange: Exchange, parts: MethodParts): void {
  const { caller, id } = exchange;
  if (!declaresTasks(caller.profile?.capabilities)) return exchange.respond(errorLine(id, tasksRequired()));
  const task = routeTask(exchange, parts.affinity);
  if (task !== undefined) forward(exchange, task.upstream, parts, { edits: task.edits, subject: task.local });
}
