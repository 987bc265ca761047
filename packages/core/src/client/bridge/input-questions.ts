import { randomUUID } from 'node:crypto';

import type { Kit, Timer } from '@mcpmux/kit';
import { type Edit, notificationLine, stringAt } from '@mcpmux/wire';
import { insertion } from '../asks/server-request-edits.js';
import type { Caller } from '../caller/caller.js';
import type { RootsCache } from '../caller/roots-cache.js';
import type { Exchange } from '../request/exchange.js';
import type { Connection } from '../../server/link/connection.js';
import type { Upstream } from '../../server/upstream.js';
import { inputEdits, inputProblem, type InputRequest } from '../modern/input-requests.js';

const LIST_ROOTS = 'roots/list';
/** The time limit for answering one round's questions, in milliseconds. */
const ROUND_TIMEOUT_MS = 600_000;

/** The dependencies of {@link InputQuestions}. */
export interface InputComponents extends Pick<Kit<'maxAskedPerClient'>, 'clock' | 'limits'> {
  /** The cached roots of legacy clients. mcpmux does not request roots that are in the cache. */
  readonly roots: Pick<RootsCache<Caller>, 'get' | 'storeJson'>;
}

/** Receives the answers as a JSON object's members, without its braces, or the problem that prevented the answers. */
export interface AnswerReceiver {
  onAnswers(responses: string): void;
  onFailure(problem: string): void;
}

/** Sends a modern server's questions to a legacy client whose request is in progress, each as a separate request. */
export class InputQuestions {
  private withdrawals: (() => void)[] = [];
  private timer: Timer | undefined;
  private readonly elicitationIds: string[] = [];

  constructor(
    private readonly exchange: Exchange,
    private readonly upstream: Upstream,
    private readonly parts: InputComponents,
  ) {}

  /** Returns the reason why the client cannot answer these questions, or undefined if it can. */
  problemWith(requests: readonly InputRequest[]): string | undefined {
    const { caller } = this.exchange;
    const { maxAskedPerClient: most } = this.parts.limits;
    if ((caller.serverRequests?.pendingCount ?? most) + requests.length > most)
      return `the client has not answered ${most} requests of servers`;
    const capabilities = caller.profile?.capabilities ?? {};
    for (const request of requests) {
      const problem = inputProblem(request, this.upstream, capabilities);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  /** Sends one round's questions to the client, except those that mcpmux can answer itself. */
  sendQuestions(requests: readonly InputRequest[], connection: Connection, taker: AnswerReceiver): void {
    const answers = new Map<string, string>();
    this.timer = this.parts.clock.schedule(
      () => this.fail(taker, `the client did not answer within ${ROUND_TIMEOUT_MS / 1000} s`),
      ROUND_TIMEOUT_MS,
    );
    const isComplete = (): boolean => answers.size === requests.length;
    const finish = (): void =>
      taker.onAnswers(requests.map(({ key }) => `${key}:${answers.get(key)}`).join(','));
    for (const request of requests) {
      const { line, message } = request;
      const knownAnswer = this.knownAnswer(request);
      if (knownAnswer !== undefined) {
        answers.set(request.key, knownAnswer);
        continue;
      }
      const question = { line, id: message.id, edits: this.questionEdits(request, connection) };
      const withdraw = this.exchange.caller.serverRequests?.askResultQuestion(question, (answer) => {
        if ('problem' in answer) return this.fail(taker, `the client did not answer: ${answer.problem}`);
        if (message.method === LIST_ROOTS)
          this.parts.roots.storeJson(this.exchange.caller, Buffer.from(answer.json));
        answers.set(request.key, answer.json);
        if (!isComplete()) return;
        this.withdrawals = [];
        this.timer?.cancel();
        finish();
      });
      if (withdraw !== undefined) this.withdrawals.push(withdraw);
    }
    if (!isComplete()) return;
    this.timer.cancel();
    // Deferred, because this method's caller is still reading the result that contains the questions.
    queueMicrotask(finish);
  }

  private knownAnswer({ message }: InputRequest): string | undefined {
    if (message.method !== LIST_ROOTS) return undefined;
    return this.parts.roots.get(this.exchange.caller)?.toString('utf8');
  }

  /** Notifies the client that all URL elicitations are complete. Called once the request has its result. */
  completeElicitations(): void {
    const { caller } = this.exchange;
    for (const elicitationId of this.elicitationIds.splice(0))
      caller.send(notificationLine('notifications/elicitation/complete', { elicitationId }));
  }

  /** Withdraws the questions that are still open. */
  abort(): void {
    this.timer?.cancel();
    for (const withdraw of this.withdrawals.splice(0)) withdraw();
  }

  private fail(taker: AnswerReceiver, problem: string): void {
    this.abort();
    taker.onFailure(problem);
  }

  private questionEdits(request: InputRequest, connection: Connection): readonly Edit[] {
    const { caller } = this.exchange;
    const edits = inputEdits(request, this.upstream, connection, caller.profile?.capabilities ?? {});
    const { line, message } = request;
    const modeSpan = message.params.get('mode');
    if (modeSpan === undefined || stringAt(line, modeSpan) !== 'url' || message.params.has('elicitationId'))
      return edits;
    // Legacy revisions require an id in each URL question.
    const elicitationId = randomUUID();
    this.elicitationIds.push(elicitationId);
    return [...edits, insertion(modeSpan.end, `,"elicitationId":"${elicitationId}"`)];
  }
}
