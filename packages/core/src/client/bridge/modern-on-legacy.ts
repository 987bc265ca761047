import { isRecord } from '@mcpmux/kit';
import {
  type BorrowedLine,
  type Edit,
  ErrorCode,
  errorLine,
  type Span,
  stringAt,
  valuePaths,
  valueSpans,
} from '@mcpmux/wire';
import type { Bridge, Crossing, CrossingCall } from '../request/crossing.js';
import type { Exchange } from '../request/exchange.js';
import type { Connection } from '../../server/link/connection.js';
import type { ServerResponse } from '../../server/link/pending-call.js';
import type { Upstream } from '../../server/upstream.js';
import { isTaskMethod } from '../../server/dialect/client-requests.js';
import { REPORTED_ENVELOPE_PATHS } from '../../server/dialect/envelope-keys.js';
import { completingEdits } from '../modern/complete-result.js';
import { removalEdits } from '../../server/link/members.js';
import { suspendableRequestOf, type ModernRequest } from '../modern/modern-request.js';
import { invalidStateError } from '../modern/modern-requests.js';
import { NOT_ISSUED_REASON } from '../modern/parking-lot.js';
import { postpone } from '../modern/postponed-request.js';
import { isSealed } from '../modern/request-state.js';
import { ModernTaskCall } from './modern-task-call.js';
import { modernTaskRequest } from './modern-task-requests.js';
import { requestUrlVisits, isUrlRequired } from './url-elicitations.js';

/**
 * The members of `params` that a legacy server must not get: the client's description, a retry's members, and `task`.
 */
const STRIPPED_MEMBERS = [...REPORTED_ENVELOPE_PATHS, 'requestState', 'inputResponses', 'task'];
const RESOURCE_NOT_FOUND = -32_002;
const TASK_SUPPORT_PATHS = valuePaths([['execution', 'taskSupport']]);
/** Caches the result of {@link runsAsTask}, so that each definition is parsed only once. */
const runsAsTaskCache = new WeakMap<Buffer, boolean>();
const ROOTS_QUESTIONS = new Map([['roots', '{"method":"roots/list","params":{}}']]);

/** Forwards a modern client's request to a legacy server. */
export const modernOnLegacy: Bridge = (exchange, server) => {
  const { upstream, connection } = server;
  const request = suspendableRequestOf(exchange);
  if (request !== undefined) {
    if (exchange.params.has('requestState') && !request.hasAnswers) {
      const state = exchange.textAt('requestState')?.text ?? '';
      const noStateReason = `the server ${JSON.stringify(upstream.name)} gives out none`;
      const reason = isSealed(state) ? NOT_ISSUED_REASON : noStateReason;
      exchange.respond(errorLine(exchange.id, invalidStateError(reason)));
      return undefined;
    }
    if (!reportOrAskForRoots(exchange, request, connection)) return undefined;
  }
  const plain = new LegacyCrossing(exchange, upstream, request);
  if (server.tool === undefined)
    return isTaskMethod(exchange.method) ? modernTaskRequest(exchange, server, plain) : plain;
  if (request === undefined || !runsAsTask(server.tool)) return plain;
  return new ModernTaskCall(exchange, server, request, plain);
};

/** True if the tool's definition requires every call to run as a task. */
function runsAsTask(definition: Buffer): boolean {
  const before = runsAsTaskCache.get(definition);
  if (before !== undefined) return before;
  const [support] = valueSpans(definition, { start: 0, end: definition.length }, TASK_SUPPORT_PATHS);
  const isTask = support !== undefined && stringAt(definition, support.span) === 'required';
  runsAsTaskCache.set(definition, isTask);
  return isTask;
}

/** Sends known roots to a server that waits for them. Postpones the request and returns false if they are unknown. */
function reportOrAskForRoots(exchange: Exchange, request: ModernRequest, connection: Connection): boolean {
  const { roots } = request.parts;
  const { rootsOwner: group } = request;
  if (request.profile.capabilities['roots'] === undefined || !roots.needsRoots(connection)) return true;
  const known = roots.get(group);
  if (known !== undefined) {
    roots.sendRoots(connection, group, known);
    return true;
  }
  postpone(exchange, ROOTS_QUESTIONS, (answers) => {
    const answer = answers.get('roots');
    roots.store(group, answer !== undefined && isRoots(answer) ? answer : Buffer.from('{"roots":[]}'));
    return undefined;
  });
  return false;
}

/** One request from a modern client to a legacy server. */
class LegacyCrossing implements Crossing {
  readonly edits: readonly Edit[];
  private readonly method: string;

  constructor(
    { line, params, method }: Exchange,
    private readonly upstream: Upstream,
    private readonly request: ModernRequest | undefined,
  ) {
    this.method = method;
    const spans = STRIPPED_MEMBERS.map((path) => params.get(path)).filter((span) => span !== undefined);
    this.edits = removalEdits(line, spans);
  }

  onResponse(call: CrossingCall, line: BorrowedLine, response: ServerResponse): readonly Edit[] | undefined {
    const { result, error } = response;
    if (result !== undefined) return completingEdits(line, result, this.method);
    return error === undefined ? [] : this.handleError(call, line, error);
  }

  onAbort(): void {
    this.request?.handleCancellation();
  }

  /** Returns the edits that convert a legacy error to a modern one; undefined if the user must visit URLs first. */
  private handleError(call: CrossingCall, line: BorrowedLine, span: Span): readonly Edit[] | undefined {
    const { request, upstream } = this;
    const error: unknown = JSON.parse(line.toString('utf8', span.start, span.end));
    if (!isRecord(error)) return [];
    if (request !== undefined && isUrlRequired(error)) {
      const missingCapabilities = { elicitation: { url: {} } };
      if (!request.takesUrls) return [{ span, bytes: missingCapability(error, missingCapabilities) }];
      requestUrlVisits(call, upstream, error);
      return undefined;
    }
    const missingCapabilities = request?.missingCapabilities;
    if (missingCapabilities !== undefined)
      return [{ span, bytes: missingCapability(error, missingCapabilities) }];
    if (error['code'] !== RESOURCE_NOT_FOUND) return [];
    return [{ span, bytes: JSON.stringify({ ...error, code: ErrorCode.InvalidParams }) }];
  }
}

/** Returns an error that lists the capabilities that the server needs but the client has not declared. */
function missingCapability(error: Readonly<Record<string, unknown>>, missingCapabilities: unknown): string {
  const data = { requiredCapabilities: missingCapabilities };
  return JSON.stringify({ code: ErrorCode.MissingCapability, message: error['message'], data });
}

function isRoots(answer: Buffer): boolean {
  const value: unknown = JSON.parse(answer.toString('utf8'));
  return isRecord(value) && Array.isArray(value['roots']);
}
