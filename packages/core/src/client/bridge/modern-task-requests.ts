import { isRecord } from '@mcpmux/kit';
import { type BorrowedLine, type Edit, resultLine, type Span } from '@mcpmux/wire';
import { splitTaskId } from '@mcpmux/namespace';
import type { CrossedServer, Crossing, CrossingCall } from '../request/crossing.js';
import type { Exchange } from '../request/exchange.js';
import { resourceEdits } from '../request/result-reader.js';
import type { ServerResponse } from '../../server/link/pending-call.js';
import type { Upstream } from '../../server/upstream.js';
import { inputResponses } from '../modern/input.js';
import type { LegacyTask } from '../modern/legacy-tasks.js';
import { requestOf } from '../modern/modern-request.js';
import { modernTask, type ShownTask } from '../modern/task-shapes.js';
import { completedCall } from './modern-task-call.js';
import { taskRequest } from './task-request.js';

const COMPLETE_RESULT = '{"resultType":"complete"}';
const NO_QUESTIONS: ReadonlyMap<string, string> = new Map();

/**
 * Starts a modern client's request about a task of a legacy server. Answers `tasks/update` itself, because only mcpmux
 * needs the update.
 */
export function modernTaskRequest(
  exchange: Exchange,
  { upstream, connection }: CrossedServer,
  plain: Crossing,
): Crossing | undefined {
  const id = exchange.text('taskId')?.text ?? '';
  const taskId = splitTaskId(id)?.local ?? id;
  const task = requestOf(exchange)?.parts.legacyTasks.get(connection, taskId);
  if (exchange.method === 'tasks/update') {
    task?.answer(inputResponses(exchange.line, exchange.params));
    exchange.respond(resultLine(exchange.id, COMPLETE_RESULT));
    return undefined;
  }
  return exchange.method === 'tasks/cancel'
    ? new CancelCrossing(exchange, taskId, plain.edits)
    : new GetCrossing(exchange, { upstream, plain, task, taskId });
}

/** Handles `tasks/get`. Its modern answer combines several legacy answers about a task. */
class GetCrossing implements Crossing {
  readonly edits: readonly Edit[];
  private readonly id: string;
  /** The task; set after mcpmux has requested its result. */
  private endedTask: ShownTask | undefined;

  constructor(
    private readonly exchange: Exchange,
    private readonly init: {
      readonly upstream: Upstream;
      readonly plain: Crossing;
      readonly task: LegacyTask | undefined;
      readonly taskId: string;
    },
  ) {
    this.edits = init.plain.edits;
    this.id = exchange.text('taskId')?.text ?? '';
  }

  onResponse(call: CrossingCall, line: BorrowedLine, response: ServerResponse): readonly Edit[] | undefined {
    const { endedTask, init } = this;
    const { result, error } = response;
    if (endedTask !== undefined) return this.withResult(call, endedTask, line, response);
    if (result === undefined) return error === undefined ? [] : init.plain.onResponse(call, line, response);
    const read: unknown = JSON.parse(line.toString('utf8', result.start, result.end));
    const reported = modernTask(isRecord(read) ? read : {}, this.id);
    switch (reported.status) {
      case 'completed':
      case 'failed':
        this.endedTask = reported;
        call.resend(taskRequest('tasks/result', { taskId: init.taskId }));
        return undefined;
      case 'input_required': {
        const report = (questions: ReadonlyMap<string, string>): void =>
          this.reportQuestions(call, reported, questions);
        if (init.task === undefined) report(NO_QUESTIONS);
        else init.task.onQuestions(report);
        return undefined;
      }
      default:
        return [{ span: result, bytes: membersOf(reported) + '}' }];
    }
  }

  private reportQuestions(
    call: CrossingCall,
    reported: ShownTask,
    questions: ReadonlyMap<string, string>,
  ): void {
    const entries = [...questions].map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(',');
    call.finish(resultLine(this.exchange.id, `${membersOf(reported)},"inputRequests":{${entries}}}`));
  }

  private withResult(
    call: CrossingCall,
    reported: ShownTask,
    line: BorrowedLine,
    { result, error }: ServerResponse,
  ): readonly Edit[] | undefined {
    const { exchange, init } = this;
    if (result === undefined) {
      const json = error === undefined ? '{}' : line.toString('utf8', error.start, error.end);
      const failed = membersOf({ ...reported, status: 'failed' });
      call.finish(resultLine(exchange.id, `${failed},"error":${json}}`));
      return undefined;
    }
    const { catalog } = exchange.caller.view;
    return [
      ...wrapEdits(result, `${membersOf({ ...reported, status: 'completed' })},"result":`, '}'),
      ...completedCall(line, result),
      ...resourceEdits(line, result, { upstream: init.upstream, catalog }),
    ];
  }
}

/** Handles `tasks/cancel`. In the modern era, the request does not fail if the task has ended. */
class CancelCrossing implements Crossing {
  private refusal: string | undefined;

  constructor(
    private readonly exchange: Exchange,
    private readonly taskId: string,
    readonly edits: readonly Edit[],
  ) {}

  onResponse(call: CrossingCall, line: BorrowedLine, { result, error }: ServerResponse) {
    if (result !== undefined) return [{ span: result, bytes: COMPLETE_RESULT }];
    if (error === undefined || this.refusal !== undefined) return [];
    this.refusal = line.toString('utf8', error.start, error.end);
    // Only the server knows whether the task exists.
    call.resend(taskRequest('tasks/get', { taskId: this.taskId }));
    return undefined;
  }
}

/** Returns the start of a result that describes a task, without the closing brace. */
function membersOf(task: ShownTask): string {
  return JSON.stringify({ resultType: 'complete', ...task }).slice(0, -1);
}

function wrapEdits({ start, end }: Span, before: string, after: string): readonly Edit[] {
  return [
    { span: { start, end: start }, bytes: before },
    { span: { start: end, end }, bytes: after },
  ];
}
