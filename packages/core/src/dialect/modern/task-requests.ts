import { errorLine } from '@mcpmux/wire';
import type { MethodParts } from '../../downstream/methods/handler.js';
import { routeTask } from '../../downstream/methods/task-route.js';
import type { Exchange } from '../../downstream/request/exchange.js';
import { forward } from '../../downstream/request/forward.js';
import { declaresTasks, tasksRequired } from '../tasks-extension.js';

/** Handles `tasks/get`, `tasks/update`, `tasks/cancel`: the id says which server. The crossing reads the answer. */
export function forwardToTask(exchange: Exchange, parts: MethodParts): void {
  const { caller, id } = exchange;
  if (!declaresTasks(caller.profile?.capabilities)) return exchange.respond(errorLine(id, tasksRequired()));
  const task = routeTask(exchange, parts.affinity);
  if (task !== undefined) forward(exchange, task.upstream, parts, { edits: task.edits, subject: task.local });
}
