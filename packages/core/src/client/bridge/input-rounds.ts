import type { Timer } from '@mcpmux/kit';
import { ErrorCode, errorLine, resultLine, valuePaths } from '@mcpmux/wire';
import { errorResultJson } from '../caller/tool-result.js';
import type { CrossingCall } from '../request/crossing.js';
import type { Exchange } from '../request/exchange.js';
import type { OutgoingCall } from '../../server/link/calls.js';
import type { Upstream } from '../../server/upstream.js';
import { readInputRequests, type InputRequest } from '../modern/input-requests.js';
import { InputQuestions, type InputComponents } from './input-questions.js';
import { memberEdits } from './json-members.js';
import { paramsOf } from './request-envelope.js';
import type { ModernResult } from './result-type.js';

/** The maximum number of rounds before a call fails. SDK clients have the same limit. */
const MAX_ROUNDS = 10;
/** The delay before mcpmux resends a call whose result asked for input without any questions, in milliseconds. */
const RETRY_PAUSE_MS = 250;
const RETRY_PATHS = valuePaths([['inputResponses'], ['requestState']]);

/**
 * The rounds of one call from a legacy client to a server that asks for input. mcpmux sends each question to the client
 * as a request, and sends the call again with the answers.
 */
export class InputRounds {
  private roundCount = 0;
  private timer: Timer | undefined;
  private readonly questions: InputQuestions;

  constructor(
    private readonly exchange: Exchange,
    private readonly upstream: Upstream,
    /** The request as first sent. Each retry repeats it. */
    private readonly request: OutgoingCall,
    private readonly parts: InputComponents,
  ) {
    this.questions = new InputQuestions(exchange, upstream, parts);
  }

  /** True once the server has asked for input. */
  get hasBegun(): boolean {
    return this.roundCount > 0;
  }

  /** Sends the questions in an input-required result to the client, then resends the call with the answers. */
  handleInputRequired(call: CrossingCall, line: Buffer, { members }: ModernResult): void {
    this.roundCount += 1;
    const inputRequests = members.get('inputRequests')?.at(-1);
    const stateSpan = members.get('requestState')?.at(-1);
    const state = stateSpan && line.toString('utf8', stateSpan.start, stateSpan.end);
    const requests = inputRequests === undefined ? [] : readInputRequests(line, inputRequests);
    if (requests === undefined)
      return this.fail(call, 'its inputRequests cannot be read, or are more than 1,000');
    const problem = this.problemWith(requests);
    if (problem !== undefined) return this.fail(call, problem);
    if (requests.length > 0) return this.askClient(call, requests, state);
    this.timer = this.parts.clock.schedule(() => this.send(call, undefined, state), RETRY_PAUSE_MS);
  }

  /** Notifies the client that all URL elicitations are complete. Called once the call has its result. */
  complete(): void {
    this.questions.completeElicitations();
  }

  /** Withdraws open questions and cancels a scheduled retry. */
  abort(): void {
    this.timer?.cancel();
    this.questions.abort();
  }

  private problemWith(requests: readonly InputRequest[]): string | undefined {
    if (this.roundCount > MAX_ROUNDS) return `it asked for input ${this.roundCount} times`;
    return this.questions.problemWith(requests);
  }

  private askClient(call: CrossingCall, requests: readonly InputRequest[], state: string | undefined): void {
    this.questions.sendQuestions(requests, call.connection, {
      onAnswers: (responses) => this.send(call, responses, state),
      onFailure: (problem) => this.fail(call, problem),
    });
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
    const retryEdits = params === undefined ? [] : memberEdits(line, params, members, RETRY_PATHS);
    call.resend({ ...this.request, edits: [...edits, ...retryEdits] });
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
