import {
  asUtf8,
  batchElements,
  ErrorCode,
  type EnvelopeHints,
  hintsOf,
  isArray,
  type LineSink,
  MAX_BATCH_MESSAGES,
  type Message,
  MessageReader,
  NULL_ID,
  type OversizedLine,
  type RawId,
  readId,
  type RpcError,
} from '@mcpmux/wire';
import type { ClientProfile } from '../../server/dialect/client-profile.js';
import type { ServerRequests } from '../asks/server-requests.js';
import { CLIENT_PARAM_PATHS } from '../caller/client-paths.js';
import type { ClientDialect } from '../methods/client-dialect.js';
import type { Exchanges } from './exchanges.js';
import type { ModernRequests } from '../modern/modern-requests.js';

type MalformedMessage = Extract<Message, { kind: 'malformed' }>;
type IncomingRequest = Extract<Message, { kind: 'request' }>;
/** A notification from a client. */
export type ClientNotification = Extract<Message, { kind: 'notification' }>;

/** Receives the messages from a client. */
export interface ClientMessageHandler {
  readonly exchanges: Pick<Exchanges, 'has' | 'open'>;
  /** The requests that servers have sent to this client. */
  readonly serverRequests: Pick<ServerRequests, 'handleResponse' | 'fail'>;
  /** The client's description of itself; undefined until it has sent one. */
  readonly profile: ClientProfile | undefined;
  /** Called once, for the first legacy message after the opening request. */
  activate(): void;
  handleNotification(line: Buffer, message: ClientNotification): void;
  refuse(id: RawId, error: RpcError): void;
}

/** Decodes one client's lines, dispatches the messages, and refuses invalid ones. */
export class ClientDecoder implements LineSink {
  private readonly messages = new MessageReader(CLIENT_PARAM_PATHS);
  private isActive = false;

  constructor(
    private readonly handler: ClientMessageHandler,
    private readonly dialect: Pick<ClientDialect, 'openingMethod' | 'batchingRevision'>,
    private readonly maxLineBytes: number,
    private readonly modern: Pick<ModernRequests, 'isModern'>,
  ) {}

  line(sent: Buffer): void {
    // Invalid UTF-8 is replaced, because a server that decodes strictly would crash on it, for all its clients.
    const line = asUtf8(sent);
    const message = this.messages.read(line);
    if (message.kind !== 'malformed') return this.dispatch(line, message);
    const elements = message.isJson && this.allowsBatches ? batchElements(line) : undefined;
    if (elements === undefined) return this.refuseMalformed(line, message);
    for (const element of elements) this.dispatch(element, this.messages.read(element));
  }

  oversized(line: OversizedLine): void {
    const { handler, maxLineBytes } = this;
    const message = `the message of ${line.length} bytes is above the limit of ${maxLineBytes} bytes`;
    const hints = hintsOf(line.head, line.tail);
    if (this.failServerRequest(hints, message)) return;
    handler.refuse(this.refusableId(hints), { code: ErrorCode.InvalidRequest, message });
  }

  private dispatch(line: Buffer, message: Message): void {
    const { handler } = this;
    if (!this.isActive) this.noteFirstMessage(message);
    switch (message.kind) {
      case 'request':
        return this.openExchange(line, message);
      case 'notification':
        return handler.handleNotification(line, message);
      case 'response':
        return handler.serverRequests.handleResponse(line, message);
      case 'malformed':
        return this.refuseMalformed(line, message);
    }
  }

  /**
   * Activates the handler on the first message after the opening request. Clients expect no notifications before that.
   */
  private noteFirstMessage(message: Message): void {
    const isOpening = message.kind === 'request' && message.method === this.dialect.openingMethod;
    if (isOpening || message.kind === 'malformed') return;
    // A client that describes itself in each request does not expect notifications either.
    if (message.kind !== 'response' && this.modern.isModern(message)) return;
    this.isActive = true;
    this.handler.activate();
  }

  /** True if the client may send batches. Only one revision of the protocol supports them. */
  private get allowsBatches(): boolean {
    return this.handler.profile?.protocolVersion === this.dialect.batchingRevision;
  }

  /** Returns the reason why a JSON array was not accepted as a batch; undefined if the line is not an array. */
  private batchProblem(line: Buffer): string | undefined {
    if (!isArray(line)) return undefined;
    return this.allowsBatches
      ? `a batch must have 1 to ${MAX_BATCH_MESSAGES} messages`
      : `only revision ${this.dialect.batchingRevision} has batches`;
  }

  private openExchange(line: Buffer, message: IncomingRequest): void {
    const { handler } = this;
    const parsedId = readId(line, message.id);
    if ('problem' in parsedId) return handler.refuse(NULL_ID, invalidRequest(parsedId.problem));
    const { id } = parsedId;
    if (!message.versioned) return handler.refuse(id, invalidRequest('"jsonrpc":"2.0" is missing'));
    if (!handler.exchanges.open(id, line, message))
      handler.refuse(id, invalidRequest(`a request with id ${id} is already in flight`));
  }

  /** Fails the server request that an unreadable response was meant for. Returns false if there was none. */
  private failServerRequest({ id, kind }: EnvelopeHints, problem: string): boolean {
    return id !== undefined && kind === 'response' && this.handler.serverRequests.fail(id, problem);
  }

  /**
   * Returns the id with which to refuse an unreadable message: null if a request with the message's id is in flight,
   * because the client would take the refusal for the answer to that request.
   */
  private refusableId({ id }: EnvelopeHints): RawId {
    return id === undefined || this.handler.exchanges.has(id) ? NULL_ID : id;
  }

  private refuseMalformed(line: Buffer, message: MalformedMessage): void {
    const { handler } = this;
    if (this.failServerRequest(message.hints, message.problem)) return;
    if (message.isJson) {
      const problem = this.batchProblem(line) ?? message.problem;
      return handler.refuse(this.refusableId(message.hints), invalidRequest(problem));
    }
    handler.refuse(NULL_ID, parseError(message.problem, this.refusableId(hintsOf(line, line))));
  }
}

/**
 * Returns the error for a line that is not JSON. JSON-RPC requires a null id here, so the data carries any readable id.
 */
function parseError(problem: string, id: RawId): RpcError {
  const error = { code: ErrorCode.ParseError, message: `Not JSON: ${problem}` };
  return id === NULL_ID ? error : { ...error, data: { requestId: JSON.parse(id) as unknown } };
}

function invalidRequest(message: string): RpcError {
  return { code: ErrorCode.InvalidRequest, message };
}
