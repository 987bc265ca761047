import { isRecord } from '@mcpmux/kit';
import type { BorrowedLine, Edit, Span } from '@mcpmux/wire';
import { qualifyTaskId } from '@mcpmux/namespace';
import type { CrossedServer, Crossing, CrossingCall } from '../request/crossing.js';
import type { Exchange } from '../request/exchange.js';
import type { ServerResponse } from '../../server/link/pending-call.js';
import { completingEdits } from '../modern/complete-result.js';
import { LegacyTask } from '../modern/legacy-tasks.js';
import { prependEdit } from '../../server/link/members.js';
import type { ModernRequest } from '../modern/modern-request.js';
import { toModernTask } from '../modern/task-shapes.js';
import { declaresTasks } from '../../server/dialect/tasks-extension.js';
import { paramsOf } from './request-envelope.js';
import { taskRequest } from './task-request.js';

const CALL = 'tools/call';
const CANCEL_TIMEOUT_MS = 10_000;

/** A call to a tool that runs as a task. A client without task support gets the task's result instead of the task. */
export class ModernTaskCall implements Crossing {
  readonly edits: readonly Edit[];
  /** The server's id for the task whose result the call awaits. */
  private awaitedTaskId: string | undefined;

  constructor(
    private readonly exchange: Exchange,
    private readonly server: CrossedServer,
    private readonly request: ModernRequest,
    /** The call's ordinary crossing, which handles every response that is not a task. */
    private readonly plain: Crossing,
  ) {
    const params = paramsOf(exchange.line);
    const taskEdit = params === undefined ? [] : [prependEdit(exchange.line, params, '"task":{}')];
    this.edits = [...taskEdit, ...plain.edits];
  }

  onResponse(call: CrossingCall, line: BorrowedLine, response: ServerResponse): readonly Edit[] | undefined {
    const { plain } = this;
    const { result } = response;
    const task = result === undefined || this.awaitedTaskId !== undefined ? undefined : taskIn(line, result);
    if (result === undefined || task === undefined) return plain.onResponse(call, line, response);
    const localId = String(task['taskId']);
    if (declaresTasks(this.exchange.caller.profile?.capabilities)) {
      this.registerTask(localId);
      const reported = toModernTask(task, qualifyTaskId(this.server.upstream.name, localId));
      return [{ span: result, bytes: JSON.stringify({ resultType: 'task', ...reported }) }];
    }
    this.awaitedTaskId = localId;
    // Until the server answers this request, its questions come from the task and belong to this call.
    call.resend(taskRequest('tasks/result', { taskId: localId }));
    return undefined;
  }

  onAbort(): void {
    const { plain, awaitedTaskId: taskId } = this;
    plain.onAbort?.();
    if (taskId !== undefined)
      this.server.connection.request('tasks/cancel', { taskId }, CANCEL_TIMEOUT_MS).catch(() => undefined);
  }

  private registerTask(taskId: string): void {
    const { upstream, connection, owners } = this.server;
    const { request } = this;
    const { clock, roots, legacyTasks } = request.parts;
    const { caller } = this.exchange;
    owners.addPrincipalTask(caller, upstream, qualifyTaskId(upstream.name, taskId));
    const init = { connection, taskId, clock, roots };
    const task = new LegacyTask(request.profile, request.rootsOwner, init);
    legacyTasks.add(connection, taskId, task, caller.principal.id);
  }
}

/** Returns the edits that convert a legacy task's result to a modern tool result. */
export function completedCallEdits(line: Buffer, result: Span): readonly Edit[] {
  return completingEdits(line, result, CALL);
}

function taskIn(line: Buffer, { start, end }: Span): Readonly<Record<string, unknown>> | undefined {
  const value: unknown = JSON.parse(line.toString('utf8', start, end));
  const task = isRecord(value) ? value['task'] : undefined;
  return isRecord(task) ? task : undefined;
}
