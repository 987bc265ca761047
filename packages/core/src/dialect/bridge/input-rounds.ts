import { randomUUID } from 'node:crypto';

import {
  type Edit,
  errorLine,
  ErrorCode,
  notificationLine,
  resultLine,
  stringAt,
  valuePaths,
} from '@mcpmux/wire';
import type { Clock, Timer } from '../../base/clock.js';
import type { Limits } from '../../base/limits.js';
import { errorResultJson } from '../../downstream/caller/tool-result.js';
import type { CrossingCall } from '../../downstream/request/crossing.js';
import type { Exchange } from '../../downstream/request/exchange.js';
import type { OutgoingCall } from '../../upstream/link/calls.js';
import type { Upstream } from '../../upstream/upstream.js';
import { insertion } from '../../downstream/asks/server-request-edits.js';
import { inputEdits, inputProblem, readInputRequests, type InputRequest } from '../modern/input-requests.js';
import { withMembers } from './json-members.js';
import { paramsOf } from './request-envelope.js';
import type { ModernResult } from './result-type.js';

/** After so many rounds a call is given up, as SDK clients do. */
const MAX_ROUNDS = 10;
/** So long the client and its user have for the questions of one round, in milliseconds. */
const ROUND_MS = 600_000;
/** A server that asks for nothing but another try gets it after so many milliseconds. */
const PAUSE_MS = 250;
const RETRY = valuePaths([['inputResponses'], ['requestState']]);

/** What {@link InputRounds} work with. */
export interface RoundParts {
  readonly clock: Clock;
  readonly limits: Pick<Limits, 'maxAskedPerClient'>;
}

/**
 * The rounds of one call of a legacy client whose server asks for input: each question is put to the client as a request,
 * and the call is sent again with the answers.
 */
export class InputRounds {
  private count = 0;
  private withdraw: (() => void)[] = [];
  private timer: Timer | undefined;
  private readonly elicitations: string[] = [];

  constructor(
    private readonly exchange: Exchange,
    private readonly upstream: Upstream,
    /** The request as it was sent first. */
    private readonly request: OutgoingCall,
    private readonly parts: RoundParts,
  ) {}

  /** True once the call was sent again. */
  get hasBegun(): boolean {
    return this.count > 0;
  }

  /** The server asks for input. The call goes on later. */
  next(call: CrossingCall, line: Buffer, { members }: ModernResult): void {
    this.count += 1;
    const [asked] = members.get('inputRequests') ?? [];
    const [stateSpan] = members.get('requestState') ?? [];
    const state = stateSpan && line.toString('utf8', stateSpan.start, stateSpan.end);
    const requests = asked === undefined ? [] : readInputRequests(line, asked);
    if (requests === undefined) return this.fail(call, 'its inputRequests cannot be read');
    const problem = this.problemWith(requests);
    if (problem !== undefined) return this.fail(call, problem);
    if (requests.length > 0) return this.ask(call, requests, state);
    this.timer = this.parts.clock.schedule(() => this.send(call, undefined, state), PAUSE_MS);
  }

  /** The call has its result: what the user did elsewhere is done. */
  over(): void {
    const { caller } = this.exchange;
    for (const elicitationId of this.elicitations.splice(0))
      caller.send(notificationLine('notifications/elicitation/complete', { elicitationId }));
  }

  /** Nobody waits for the call any more. */
  abort(): void {
    this.timer?.cancel();
    for (const withdraw of this.withdraw.splice(0)) withdraw();
  }

  private problemWith(requests: readonly InputRequest[]): string | undefined {
    const { caller } = this.exchange;
    const { maxAskedPerClient: most } = this.parts.limits;
    if (this.count > MAX_ROUNDS) return `it asked for input ${this.count} times`;
    if ((caller.asked?.size ?? most) + requests.length > most)
      return `the client has not answered ${most} requests of servers`;
    const capabilities = caller.profile?.capabilities ?? {};
    for (const request of requests) {
      const problem = inputProblem(request, this.upstream, capabilities);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  private ask(call: CrossingCall, requests: readonly InputRequest[], state: string | undefined): void {
    const answers = new Map<string, string>();
    this.timer = this.parts.clock.schedule(
      () => this.fail(call, `the client did not answer within ${ROUND_MS / 1000} s`),
      ROUND_MS,
    );
    for (const request of requests) {
      const { line, message } = request;
      const question = { line, id: message.id, edits: this.editsOf(request, call) };
      const withdraw = this.exchange.caller.asked?.put(question, (answer) => {
        if ('problem' in answer) return this.fail(call, `the client did not answer: ${answer.problem}`);
        answers.set(request.key, answer.json);
        if (answers.size < requests.length) return;
        this.withdraw = [];
        this.send(call, requests.map(({ key }) => `${key}:${answers.get(key)}`).join(','), state);
      });
      if (withdraw !== undefined) this.withdraw.push(withdraw);
    }
  }

  private editsOf(request: InputRequest, { connection }: CrossingCall): readonly Edit[] {
    const { caller } = this.exchange;
    const edits = inputEdits(request, this.upstream, connection, caller.profile?.capabilities ?? {});
    const { line, message } = request;
    const mode = message.params.get('mode');
    if (mode === undefined || stringAt(line, mode) !== 'url' || message.params.has('elicitationId'))
      return edits;
    // Revisions before have it in each such question.
    const elicitation = randomUUID();
    this.elicitations.push(elicitation);
    return [...edits, insertion(mode.end, `,"elicitationId":"${elicitation}"`)];
  }

  private send(call: CrossingCall, responses: string | undefined, requestState: string | undefined): void {
    this.timer?.cancel();
    if (!this.exchange.isOpen) return;
    const { line, edits } = this.request;
    const members = {
      ...(responses !== undefined && { inputResponses: `{${responses}}` }),
      ...(requestState !== undefined && { requestState }),
    };
    const params = paramsOf(line);
    const further = params === undefined ? [] : withMembers(line, params, members, RETRY);
    call.sendAgain({ ...this.request, edits: [...edits, ...further] });
  }

  private fail(call: CrossingCall, problem: string): void {
    this.abort();
    const { id, method } = this.exchange;
    const text = `Server "${this.upstream.name}" needs input for this, and ${problem}.`;
    call.finish(
      method === 'tools/call'
        ? resultLine(id, errorResultJson(text))
        : errorLine(id, { code: ErrorCode.InternalError, message: text }),
    );
  }
}
