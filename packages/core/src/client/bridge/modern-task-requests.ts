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
import { toModernTask, type FormattedTask } from '../modern/task-shapes.js';
import { completedCallEdits } from './modern-task-call.js';
import { taskRequest } from './task-request.js';

const COMPLETE_RESULT = '{"resultType":"complete"}';
const NO_QUESTIONS: ReadonlyMap<string, string> = new Map();

/** Forwards a modern client's request about a legacy server's task. mcpmux answers `tasks/update` itself. */
export function modernTaskRequest(
  exchange: Exchange,
  { upstream, connection }: CrossedServer,
  plainCrossing: Crossing,
): Crossing | undefined {
  const id = exchange.textAt('taskId')?.text ?? '';
  const taskId = splitTaskId(id)?.local ?? id;
  const task = requestOf(exchange)?.parts.legacyTasks.get(connection, taskId);
  if (exchange.method === 'tasks/update') {
    task?.answer(inputResponses(exchange.line, exchange.params));
    exchange.respond(resultLine(exchange.id, COMPLETE_RESULT));
    return undefined;
  }
  return exchange.method === 'tasks/cancel'
    ? new CancelTaskCrossing(exchange, taskId, plainCrossing.edits)
    : new GetTaskCrossing(exchange, { upstream, plain: plainCrossing, task, taskId });
}

/** Serves `tasks/get`. Requests an ended task's result from the server too, because the modern answer includes it. */
class GetTaskCrossing implements Crossing {
  readonly edits: readonly Edit[];
  private readonly id: string;
  /** The ended task whose result mcpmux has requested; undefined before that. */
  private endedTask: FormattedTask | undefined;

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
    this.id = exchange.textAt('taskId')?.text ?? '';
  }

  onResponse(call: CrossingCall, line: BorrowedLine, response: ServerResponse): readonly Edit[] | undefined {
    const { endedTask, init } = this;
    const { result, error } = response;
    if (endedTask !== undefined) return this.resultEdits(call, endedTask, line, response);
    if (result === undefined) return error === undefined ? [] : init.plain.onResponse(call, line, response);
    const reportedJson: unknown = JSON.parse(line.toString('utf8', result.start, result.end));
    const reported = toModernTask(isRecord(reportedJson) ? reportedJson : {}, this.id);
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
        return [{ span: result, bytes: taskResultStart(reported) + '}' }];
    }
  }

  private reportQuestions(
    call: CrossingCall,
    reported: FormattedTask,
    questions: ReadonlyMap<string, string>,
  ): void {
    const entries = [...questions].map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(',');
    call.finish(resultLine(this.exchange.id, `${taskResultStart(reported)},"inputRequests":{${entries}}}`));
  }

  private resultEdits(
    call: CrossingCall,
    reported: FormattedTask,
    line: BorrowedLine,
    { result, error }: ServerResponse,
  ): readonly Edit[] | undefined {
    const { exchange, init } = this;
    if (result === undefined) {
      const errorJson = error === undefined ? '{}' : line.toString('utf8', error.start, error.end);
      const failedResultStart = taskResultStart({ ...reported, status: 'failed' });
      call.finish(resultLine(exchange.id, `${failedResultStart},"error":${errorJson}}`));
      return undefined;
    }
    const { catalog } = exchange.caller.view;
    return [
      ...wrappingEdits(result, `${taskResultStart({ ...reported, status: 'completed' })},"result":`, '}'),
      ...completedCallEdits(line, result),
      ...resourceEdits(line, result, { upstream: init.upstream, catalog }),
    ];
  }
}

/** Serves `tasks/cancel`. In the modern era, cancelling an ended task is not an error. */
class CancelTaskCrossing implements Crossing {
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
    // A legacy server refuses to cancel an ended task. `tasks/get` fails only if the task does not exist.
    call.resend(taskRequest('tasks/get', { taskId: this.taskId }));
    return undefined;
  }
}

/** Returns the start of a result that describes a task, without the closing brace. */
function taskResultStart(task: FormattedTask): string {
  return JSON.stringify({ resultType: 'complete', ...task }).slice(0, -1);
}

function wrappingEdits({ start, end }: Span, before: string, after: string): readonly Edit[] {
  return [
    { span: { start, end: start }, bytes: before },
    { span: { start: end, end }, bytes: after },
  ];
}
