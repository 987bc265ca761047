import type { Clock, Timer } from '@mcpmux/kit';
import {
  type Message,
  type OutgoingLine,
  type RawId,
  readMessage,
  resultBytesLine,
  resultLine,
  splice,
  stringId,
  valuePaths,
  valueSpans,
} from '@mcpmux/wire';
import { ForwardedServerRequest, type ServerRequestRecipient } from '../asks/forwarded-server-request.js';
import type { ServerRequestEvent, Asker } from '../asks/asker.js';
import { serverRequestEdits } from '../asks/server-request-edits.js';
import { parsedAnswer, PendingQuestion, NO_ANSWER, type ElicitAnswer } from '../asks/server-requests.js';
import type { Connection } from '../../server/link/connection.js';
import type { ClientProfile } from '../../server/dialect/client-profile.js';
import type { ClientRoots } from './client-roots.js';
import { refusalIn } from './input.js';
import { lineWithoutMembers } from '../../server/link/members.js';
import { requiredCapabilities } from '../../server/dialect/client-requests.js';

/** How long to collect further questions before answering the request with them, in milliseconds. */
export const COLLECT_MS = 5;

const ROOTS_METHOD = 'roots/list';
const PARAMS_PATHS = valuePaths([['params']]);
/** The members of a legacy server's question that are omitted when the question is part of an answer. */
const DROPPED_PATHS = valuePaths([['task'], ['elicitationId'], ['_meta', 'progressToken']]);
const META_PATHS = valuePaths([['_meta']]);
const OPEN_BRACE = 0x7b;

/** A request during which servers may ask questions. */
export interface QuestionedRequest {
  readonly profile: ClientProfile;
  readonly answeringClient: object;
  /** True from the time when the client is sent questions until it retries. */
  readonly isWaiting: boolean;
  /** The key under which the client's roots are cached: an object or a principal's id. */
  readonly rootsOwner: unknown;
  /** If the request is still open, answers it with these questions, each as JSON under its key. */
  suspend(questions: ReadonlyMap<string, string>): void;
}

/** The server's request behind a question. */
interface QuestionOrigin {
  readonly connection: Connection;
  readonly serverId: RawId;
  readonly method: string;
}

interface OpenQuestion {
  readonly json: string;
  readonly question: ForwardedServerRequest | PendingQuestion;
  /** Absent for a question from mcpmux itself. */
  readonly origin?: QuestionOrigin;
}

/** The questions from servers and mcpmux during one request. The answer carries them, and the retry answers them. */
export class RequestQuestions implements Asker, ServerRequestRecipient {
  /** The capabilities that the client would need to receive the questions that were withheld from it. */
  missingCapabilities: Readonly<Record<string, unknown>> | undefined;
  /** The connection to the server that asked the latest question. */
  lastConnection: Connection | undefined;
  private readonly openQuestions = new Map<string, OpenQuestion>();
  private issuedKeyCount = 0;
  private timer: Timer | undefined;
  private isEnded = false;

  constructor(
    private readonly request: QuestionedRequest,
    private readonly roots: ClientRoots,
    private readonly clock: Clock,
  ) {}

  get pendingCount(): number {
    return this.openQuestions.size;
  }

  get capabilities(): Asker['capabilities'] {
    return this.request.profile.capabilities;
  }

  get client(): object {
    return this.request.answeringClient;
  }

  get isWaiting(): boolean {
    return this.request.isWaiting;
  }

  ask(ask: ServerRequestEvent, serverId: RawId): void {
    const { connection, message } = ask;
    this.addServerQuestion(
      { connection, serverId, method: message.method },
      questionJson(ask, this.capabilities),
    );
  }

  cachedAnswer({ message }: ServerRequestEvent, id: RawId): OutgoingLine | undefined {
    const isRootsRequest = message.method === ROOTS_METHOD;
    const roots = isRootsRequest ? this.roots.getForClient(this.request.rootsOwner) : undefined;
    return roots && resultBytesLine(id, roots);
  }

  recordMissingCapability({ line, message }: ServerRequestEvent): void {
    this.missingCapabilities = { ...this.missingCapabilities, ...requiredCapabilities(line, message) };
  }

  /** Asks a question from mcpmux itself, and withdraws it when `signal` is aborted. */
  askOwn(method: string, params: unknown, signal: AbortSignal): Promise<ElicitAnswer> {
    if (this.isEnded || signal.aborted) return Promise.resolve(NO_ANSWER);
    const key = this.nextKey();
    return new Promise((resolve) => {
      const withdraw = (): void => {
        if (this.openQuestions.delete(key)) resolve(NO_ANSWER);
      };
      signal.addEventListener('abort', withdraw, { once: true });
      const question = new PendingQuestion((answer) => {
        signal.removeEventListener('abort', withdraw);
        resolve(parsedAnswer(answer));
      });
      this.addQuestion(key, { json: JSON.stringify({ method, params }), question });
    });
  }

  /** Passes the retry's answers to the open questions. Ignores unknown keys. Asks unanswered questions again. */
  answer(answers: ReadonlyMap<string, Buffer>): void {
    for (const [key, json] of answers) {
      const question = this.openQuestions.get(key)?.question;
      if (question === undefined) continue;
      this.openQuestions.delete(key);
      const refusal = refusalIn(json);
      if (json[0] !== OPEN_BRACE) question.fail('its answer is no object');
      else if (refusal === undefined)
        passResponse(question, resultLine(stringId(key), json.toString('utf8')));
      else passResponse(question, refusalLine(stringId(key), refusal));
    }
    if (this.openQuestions.size > 0) this.scheduleAnswer();
  }

  /**
   * Ends the questions, because a client cannot answer once its request has ended.
   *
   * @param successor the questions of the client's other open call to this server; takes over the servers' open
   * questions, because that call may have caused them
   */
  end(successor?: RequestQuestions): void {
    this.isEnded = true;
    this.timer?.cancel();
    if (successor !== undefined) this.transferTo(successor);
    const unansweredQuestions = [...this.openQuestions.values()];
    this.openQuestions.clear();
    for (const { question } of unansweredQuestions) question.handleClientDisconnect();
  }

  /** Drops a question that its server has withdrawn. */
  withdraw(id: RawId): void {
    this.openQuestions.delete(String(JSON.parse(id)));
  }

  private addServerQuestion(origin: QuestionOrigin, json: string): void {
    const { connection, serverId, method } = origin;
    this.lastConnection = connection;
    const key = this.nextKey();
    const question = new ForwardedServerRequest(this, connection, {
      serverId,
      clientId: stringId(key),
      method,
      progressToken: undefined,
      readResult: (line, result) => {
        if (method === ROOTS_METHOD)
          this.roots.store(this.request.rootsOwner, Buffer.from(line.subarray(result.start, result.end)));
        return [];
      },
    });
    connection.requests.expectAnswer(serverId, question);
    if (this.isEnded) return question.handleClientDisconnect();
    this.addQuestion(key, { json, question, origin });
  }

  private transferTo(successor: RequestQuestions): void {
    for (const [key, { json, origin }] of this.openQuestions) {
      if (origin === undefined) continue;
      this.openQuestions.delete(key);
      successor.addServerQuestion(origin, json);
    }
  }

  private addQuestion(key: string, question: OpenQuestion): void {
    this.openQuestions.set(key, question);
    this.scheduleAnswer();
  }

  private scheduleAnswer(): void {
    this.timer ??= this.clock.schedule(() => {
      this.timer = undefined;
      if (this.openQuestions.size === 0) return;
      this.request.suspend(new Map([...this.openQuestions].map(([key, { json }]) => [key, json])));
    }, COLLECT_MS);
  }

  private nextKey(): string {
    this.issuedKeyCount += 1;
    return `r${this.issuedKeyCount}`;
  }
}

/** Returns a server's question as JSON for an answer, with mcpmux's edits and without the members that answers omit. */
function questionJson(ask: ServerRequestEvent, capabilities: Asker['capabilities']): string {
  const editedLine = splice(ask.line, serverRequestEdits(ask, capabilities));
  const wholeLine = { start: 0, end: editedLine.length };
  const [params] = valueSpans(editedLine, wholeLine, PARAMS_PATHS);
  const method = JSON.stringify(ask.message.method);
  if (params === undefined) return `{"method":${method},"params":{}}`;
  const paramsJson = Buffer.from(editedLine.subarray(params.span.start, params.span.end));
  const droppedSpans = valueSpans(paramsJson, { start: 0, end: paramsJson.length }, DROPPED_PATHS).map(
    ({ span }) => span,
  );
  const remainingParams = lineWithoutMembers(paramsJson, droppedSpans, META_PATHS).toString('utf8');
  return `{"method":${method},"params":${remainingParams}}`;
}

function refusalLine(id: RawId, error: string): Buffer {
  return Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":${error}}\n`);
}

function passResponse(question: OpenQuestion['question'], line: Buffer): void {
  const message: Message = readMessage(line.subarray(0, -1), []);
  if (message.kind === 'response') question.handleResponse(line.subarray(0, -1), message);
  else question.fail('its answer cannot be read');
}
