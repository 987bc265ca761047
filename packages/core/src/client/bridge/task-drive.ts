import { isRecord, type Timer } from '@mcpmux/kit';
import {
  type BorrowedLine,
  type Edit,
  ErrorCode,
  type OutgoingLine,
  type Span,
  toOwned,
  valuePaths,
  valueSpans,
} from '@mcpmux/wire';
import type { CrossingCall } from '../request/crossing.js';
import type { Exchange } from '../request/exchange.js';
import type { Connection } from '../../server/link/connection.js';
import type { ServerResponse } from '../../server/link/pending-call.js';
import type { Upstream } from '../../server/upstream.js';
import { readInputRequests, type InputRequest } from '../modern/input-requests.js';
import { internalErrorEdits } from './error-codes.js';
import { InputQuestions, type InputComponents } from './input-questions.js';
import { taskRequest } from './task-request.js';
import { RELATED_TASK } from '../../server/link/server-paths.js';
import { prependEdit } from '../../server/link/members.js';

const TASK_PATHS = valuePaths([['status'], ['pollIntervalMs'], ['inputRequests'], ['result'], ['error']]);
const DEFAULT_POLL_MS = 1000;
const MIN_POLL_MS = 20;
const MAX_POLL_MS = 60_000;
const DEFAULT_TASK_ERROR = JSON.stringify({ code: ErrorCode.InternalError, message: 'The task has failed' });
const CANCEL_TIMEOUT_MS = 10_000;

/** The task that a {@link TaskDriver} polls, and the functions that adapt its outcome to the client. */
export interface TaskDriverInit {
  readonly exchange: Exchange;
  readonly upstream: Upstream;
  readonly connection: Connection;
  /** The server's own id for the task. */
  readonly taskId: string;
  /** The members of `_meta` in each request to the server, JSON text by key. */
  readonly meta: Readonly<Record<string, string>>;
  /** Returns the edits that adapt the task's result to the client. */
  readonly resultEdits: (line: Buffer, result: Span) => readonly Edit[];
  /** Changes a question before mcpmux sends it to the client. If absent, questions are sent unchanged. */
  readonly convertQuestion?: (request: InputRequest) => InputRequest;
  /** Returns the error response for a failed task. */
  readonly failureLine: (errorJson: string) => OutgoingLine;
}

/** Polls a modern server's task on behalf of one client request until the task has ended. */
export class TaskDriver {
  private readonly questions: InputQuestions;
  /** The keys of the questions already sent to the client, because the server repeats open questions in each poll. */
  private readonly sentKeys = new Set<string>();
  private timer: Timer | undefined;
  private isUpdating = false;

  constructor(
    private readonly parts: InputComponents,
    private readonly init: TaskDriverInit,
  ) {
    this.questions = new InputQuestions(init.exchange, init.upstream, parts);
  }

  /** Polls the task after `afterMs`, clamped to the permitted poll interval. */
  schedulePoll(call: CrossingCall, afterMs: number): void {
    const { taskId, meta, exchange } = this.init;
    this.timer = this.parts.clock.schedule(
      () => {
        if (exchange.isOpen) call.resend(taskRequest('tasks/get', { taskId, meta }));
      },
      Math.min(Math.max(afterMs, MIN_POLL_MS), MAX_POLL_MS),
    );
  }

  /**
   * Processes the server's response to a poll or an update. Returns the edits that turn it into the client's response,
   * or undefined if it is not meant for the client.
   */
  onResponse(
    call: CrossingCall,
    line: BorrowedLine,
    { result, error }: ServerResponse,
  ): readonly Edit[] | undefined {
    if (result === undefined) return error === undefined ? [] : internalErrorEdits(line, error);
    if (this.isUpdating) {
      this.isUpdating = false;
      this.schedulePoll(call, 0);
      return undefined;
    }
    return this.handlePoll(call, line, result);
  }

  /**
   * Stops polling and withdraws open questions. If `isCancelled`, also cancels the task on the server, because no other
   * request can get its result.
   */
  abort(isCancelled: boolean): void {
    this.timer?.cancel();
    this.questions.abort();
    const { connection, taskId, meta } = this.init;
    if (!isCancelled) return;
    const members = Object.entries(meta).map(([key, json]) => [key, JSON.parse(json) as unknown]);
    const parsedMeta: object = Object.fromEntries(members);
    const params = { taskId, _meta: parsedMeta };
    connection.request('tasks/cancel', params, CANCEL_TIMEOUT_MS).catch(() => undefined);
  }

  private handlePoll(call: CrossingCall, line: BorrowedLine, result: Span): readonly Edit[] | undefined {
    const memberSpans = new Map(valueSpans(line, result, TASK_PATHS).map(({ path, span }) => [path, span]));
    const valueOf = (key: string): unknown => {
      const span = memberSpans.get(key);
      return span && (JSON.parse(line.toString('utf8', span.start, span.end)) as unknown);
    };
    const status = valueOf('status');
    const resultSpan = memberSpans.get('result');
    const pollMs = Number(valueOf('pollIntervalMs') ?? DEFAULT_POLL_MS);
    switch (status) {
      case 'completed':
        this.questions.completeElicitations();
        if (resultSpan !== undefined)
          return [...unwrapEdits(result, resultSpan), ...this.init.resultEdits(line, resultSpan)];
        return this.fail(call, 'it has ended without a result');
      case 'failed':
        call.finish(this.init.failureLine(jsonAt(line, memberSpans.get('error')) ?? DEFAULT_TASK_ERROR));
        return undefined;
      case 'cancelled':
        return this.fail(call, 'it was cancelled');
      case 'input_required':
        return this.askClient(call, toOwned(line), memberSpans.get('inputRequests'), pollMs);
      default:
        this.schedulePoll(call, pollMs);
        return undefined;
    }
  }

  private askClient(call: CrossingCall, line: Buffer, span: Span | undefined, pollMs: number): undefined {
    const inputRequests = span === undefined ? [] : readInputRequests(line, span);
    if (inputRequests === undefined) return this.fail(call, 'its inputRequests cannot be read');
    const { convertQuestion = (request: InputRequest) => request } = this.init;
    const requests = inputRequests.filter(({ key }) => !this.sentKeys.has(key)).map(convertQuestion);
    const problem = this.questions.problemWith(requests);
    if (problem !== undefined) return this.fail(call, `it needs input, and ${problem}`);
    for (const { key } of requests) this.sentKeys.add(key);
    if (requests.length === 0) this.schedulePoll(call, pollMs);
    else
      this.questions.sendQuestions(requests, call.connection, {
        onAnswers: (responses) => this.sendAnswers(call, responses),
        onFailure: (why) => this.fail(call, `it needs input, and ${why}`),
      });
  }

  private sendAnswers(call: CrossingCall, responses: string): void {
    const { taskId, meta, exchange } = this.init;
    if (!exchange.isOpen) return;
    this.isUpdating = true;
    const extraMembers = { inputResponses: `{${responses}}` };
    call.resend(taskRequest('tasks/update', { taskId, meta, extraMembers }));
  }

  private fail(call: CrossingCall, problem: string): undefined {
    this.timer?.cancel();
    this.questions.abort();
    const { upstream, taskId, failureLine } = this.init;
    const message = `Server "${upstream.name}" works on this as task ${JSON.stringify(taskId)}, and ${problem}.`;
    call.finish(failureLine(JSON.stringify({ code: ErrorCode.InternalError, message })));
  }
}

/** Reads the task's id and poll interval from the result of the call that created it. */
export function createdTask(
  line: Buffer,
  { start, end }: Span,
): { readonly taskId: string; readonly pollIntervalMs: number } {
  const task: unknown = JSON.parse(line.toString('utf8', start, end));
  const { taskId, pollIntervalMs } = isRecord(task) ? task : {};
  return { taskId: String(taskId), pollIntervalMs: Number(pollIntervalMs ?? DEFAULT_POLL_MS) };
}

/** Returns a function that builds the error response to an exchange's request from an error's JSON. */
export function errorLineBuilder({ id }: Exchange): (errorJson: string) => OutgoingLine {
  return (json) => Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":${json}}\n`);
}

function jsonAt(line: Buffer, span: Span | undefined): string | undefined {
  return span && line.toString('utf8', span.start, span.end);
}

const OPEN_BRACE = 0x7b;
const META_PATHS = valuePaths([['_meta']]);
const [, RELATED] = RELATED_TASK;

/** Returns the edits that replace the value at `outer` with the value at `inner`, which it contains. */
export function unwrapEdits(outer: Span, inner: Span): readonly Edit[] {
  return [
    { span: { start: outer.start, end: inner.start }, bytes: '' },
    { span: { start: inner.end, end: outer.end }, bytes: '' },
  ];
}

/** Returns the edits that add the related task's id to a result's `_meta`. */
export function relatedTaskEdits(line: Buffer, result: Span, taskId: string): readonly Edit[] {
  if (line[result.start] !== OPEN_BRACE) return [];
  const member = `${JSON.stringify(RELATED)}:${JSON.stringify({ taskId })}`;
  const [meta] = valueSpans(line, result, META_PATHS);
  if (meta === undefined) return [prependEdit(line, result, `"_meta":{${member}}`)];
  return line[meta.span.start] === OPEN_BRACE ? [prependEdit(line, meta.span, member)] : [];
}
