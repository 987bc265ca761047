import { type Clock, FairMap } from '@mcpmux/kit';
import type { Connection } from '../../server/link/connection.js';
import type { ClientProfile } from '../../server/dialect/client-profile.js';
import type { ClientRoots } from './client-roots.js';
import { RequestQuestions, type QuestionedRequest } from './request-questions.js';

/** The maximum number of remembered tasks on one connection, per owner and in total; the oldest are evicted. */
const MAX_TASKS = { perOwner: 1000, all: 4000 };
/**
 * The time limit for a `tasks/result` request that collects a task's questions, in milliseconds. After a timeout,
 * mcpmux repeats the request when the client next requests the task.
 */
const RESULT_TIMEOUT_MS = 600_000;
/** The maximum time that a client waits for the questions of a task that needs input, in milliseconds. */
const QUESTION_WAIT_MS = 1000;

/** The questions of a legacy server's task. The client gets them with the task and answers through `tasks/update`. */
export class LegacyTask implements QuestionedRequest {
  readonly questions: RequestQuestions;
  readonly answeringClient = this;
  readonly isWaiting = false;
  /** The unanswered questions, as JSON by key. */
  private openQuestions: ReadonlyMap<string, string> = new Map();
  private waiters: (() => void)[] = [];
  private isFetching = false;

  constructor(
    readonly profile: ClientProfile,
    readonly rootsOwner: unknown,
    private readonly init: {
      readonly connection: Connection;
      /** The server's own id for the task. */
      readonly taskId: string;
      readonly clock: Clock;
      readonly roots: ClientRoots;
    },
  ) {
    this.questions = new RequestQuestions(this, init.roots, init.clock);
  }

  suspend(questions: ReadonlyMap<string, string>): void {
    this.openQuestions = questions;
    for (const resolve of this.waiters.splice(0)) resolve();
  }

  /**
   * Calls `then` once with the task's open questions: as soon as there are any, or with none after {@link
   * QUESTION_WAIT_MS}. Also requests the task's result, because servers may ask only while such a request is open.
   */
  onQuestions(then: (questions: ReadonlyMap<string, string>) => void): void {
    this.requestResult();
    if (this.openQuestions.size > 0) return then(this.openQuestions);
    const { clock } = this.init;
    let isReported = false;
    const reportOnce = (): void => {
      timer.cancel();
      if (isReported) return;
      isReported = true;
      then(this.openQuestions);
    };
    const timer = clock.schedule(reportOnce, QUESTION_WAIT_MS);
    this.waiters.push(reportOnce);
  }

  answer(answers: ReadonlyMap<string, Buffer>): void {
    this.openQuestions = new Map();
    this.questions.answer(answers);
  }

  private requestResult(): void {
    if (this.isFetching) return;
    this.isFetching = true;
    const { connection, taskId } = this.init;
    const finishFetch = (): void => {
      this.isFetching = false;
    };
    connection.request('tasks/result', { taskId }, RESULT_TIMEOUT_MS).then(finishFetch, finishFetch);
  }
}

/** The tasks that legacy servers run for clients of the modern era, by connection. */
export class LegacyTasks {
  private readonly tasks = new WeakMap<Connection, FairMap<string, LegacyTask>>();

  /**
   * @param taskId the server's own id for the task
   * @param principal the id of the owner's principal
   */
  add(connection: Connection, taskId: string, task: LegacyTask, principal: string): void {
    const connectionTasks = this.tasks.get(connection) ?? new FairMap<string, LegacyTask>(MAX_TASKS);
    this.tasks.set(connection, connectionTasks);
    connectionTasks.set(taskId, task, principal);
  }

  /** @param taskId the server's own id for the task */
  get(connection: Connection, taskId: string): LegacyTask | undefined {
    return this.tasks.get(connection)?.get(taskId);
  }
}
