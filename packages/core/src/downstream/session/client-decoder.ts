import {
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
import type { ClientProfile } from '../../upstream/config/client-profile.js';
import type { ServerRequests } from '../asks/server-requests.js';
import { CLIENT_PATHS } from '../caller/client-paths.js';

/** A request as it came from a client. */
export type IncomingRequest = Extract<Message, { kind: 'request' }>;
/** A notification as it came from a client. */
export type ClientNotification = Extract<Message, { kind: 'notification' }>;

/** Whoever the lines of a client are for. */
export interface ClientLineHandler {
  /** What servers ask this client. */
  readonly asked: Pick<ServerRequests, 'respond' | 'fail'>;
  /** What the client said of itself; undefined until it did. */
  readonly profile: ClientProfile | undefined;
  isInFlight(id: RawId): boolean;
  /** A message has come that is not `initialize`. */
  spoke(): void;
  /** A request whose id is free. */
  request(id: RawId, line: Buffer, message: IncomingRequest): void;
  notification(line: Buffer, message: ClientNotification): void;
  refuse(id: RawId, error: RpcError): void;
}

/** Batches came with this revision and were removed by the next; clients of all others send none. */
const BATCHING_REVISION = '2025-03-26';

/** Makes messages of the lines of one client, and refuses those that are none. */
export class ClientDecoder implements LineSink {
  private readonly messages = new MessageReader(CLIENT_PATHS);

  constructor(
    private readonly handler: ClientLineHandler,
    private readonly maxLineBytes: number,
  ) {}

  line(line: Buffer): void {
    const message = this.messages.read(line);
    const elements = this.isBatch(message) ? batchElements(line) : undefined;
    if (elements === undefined) return this.take(line, message);
    for (const element of elements) this.take(element, this.messages.read(element));
  }

  oversized(line: OversizedLine): void {
    const { handler, maxLineBytes } = this;
    const message = `the message of ${line.length} bytes is above the limit of ${maxLineBytes} bytes`;
    const hints = hintsOf(line.head, line.tail);
    if (this.failAsked(hints, message)) return;
    handler.refuse(this.refusableId(hints), { code: ErrorCode.InvalidRequest, message });
  }

  private take(line: Buffer, message: Message): void {
    const { handler } = this;
    if (message.kind === 'malformed') return this.refuseMalformed(line, message);
    if (!isInitialize(message)) handler.spoke();
    if (message.kind === 'request') this.request(line, message);
    if (message.kind === 'notification') handler.notification(line, message);
    if (message.kind === 'response') handler.asked.respond(line, message);
  }

  /** Whether the line may be a batch, which one revision of the protocol has. */
  private isBatch(message: Message): boolean {
    if (message.kind !== 'malformed' || !message.isJson) return false;
    return this.handler.profile?.protocolVersion === BATCHING_REVISION;
  }

  /** What is wrong with a line that is an array and was not taken for a batch. */
  private batchProblem(line: Buffer): string | undefined {
    if (!isArray(line)) return undefined;
    if (this.handler.profile?.protocolVersion !== BATCHING_REVISION)
      return `batches belong to the revision ${BATCHING_REVISION} alone`;
    return `a batch holds 1 to ${MAX_BATCH_MESSAGES} messages`;
  }

  private request(line: Buffer, message: IncomingRequest): void {
    const { handler } = this;
    const read = readId(line, message.id);
    if ('problem' in read) return handler.refuse(NULL_ID, invalid(read.problem));
    const { id } = read;
    if (!message.versioned) return handler.refuse(id, invalid('"jsonrpc":"2.0" is missing'));
    if (handler.isInFlight(id))
      return handler.refuse(id, invalid(`a request with id ${id} is already in flight`));
    handler.request(id, line, message);
  }

  /** Tells the server, if this was to answer a question of it. */
  private failAsked({ id, kind }: EnvelopeHints, problem: string): boolean {
    return id !== undefined && kind === 'response' && this.handler.asked.fail(id, problem);
  }

  /** The id under which a message that cannot be read is refused: under that of one in flight it would be the answer to that. */
  private refusableId({ id }: EnvelopeHints): RawId {
    return id === undefined || this.handler.isInFlight(id) ? NULL_ID : id;
  }

  private refuseMalformed(line: Buffer, message: Extract<Message, { kind: 'malformed' }>): void {
    const { handler } = this;
    if (this.failAsked(message.hints, message.problem)) return;
    if (message.isJson) {
      const problem = this.batchProblem(line) ?? message.problem;
      return handler.refuse(this.refusableId(message.hints), invalid(problem));
    }
    handler.refuse(NULL_ID, { code: ErrorCode.ParseError, message: `Not JSON: ${message.problem}` });
  }
}

/** Until the client has gone on from there, it expects no notification (lifecycle of the 2025-11-25 revision). */
function isInitialize(message: Message): boolean {
  return message.kind === 'request' && message.method === 'initialize';
}

function invalid(message: string): RpcError {
  return { code: ErrorCode.InvalidRequest, message };
}
