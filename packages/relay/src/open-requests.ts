import { isRecord, LISTEN, parsedJson } from '@mcpmux/kit';
import {
  errorLine,
  ErrorCode,
  idKey,
  notificationLine,
  readId,
  type Message,
  type RawId,
  type Span,
} from '@mcpmux/wire';

import { idOfPlainCall, idOfPlainResult } from './plain-call.js';

const CANCELLED = 'notifications/cancelled';
const WITHDRAWN = 'the shared mcpmux process has ended';
const UNANSWERED =
  'The shared mcpmux process ended before it answered this request. Whether the request was carried out is unknown. ' +
  'mcpmux starts the process again: send the request again if it may run twice.';

/** The id of a request. For a plain call the key is the id, because the relay has not parsed the whole line. */
type OpenRequest = RawId | typeof PLAIN_CALL;
const PLAIN_CALL = 'plain call';

/** The unanswered requests of the client and of the shared process. */
export class OpenRequests {
  private readonly ofClient = new Map<string, OpenRequest>();
  private readonly ofProcess = new Map<string, RawId>();
  private readonly listens = new Set<string>();

  /** True if no request waits for a response, except for requests that only listen. */
  get isIdle(): boolean {
    if (this.ofProcess.size > 0) return false;
    return this.ofClient.size === 0 || [...this.ofClient.keys()].every((key) => this.listens.has(key));
  }

  /**
   * Records a message of the client that is about to be sent on. Returns false for a response without an open request,
   * which is not sent on.
   */
  sent(line: Buffer, message: Message): boolean {
    if (message.kind === 'request') this.requested(line, message);
    if (message.kind === 'notification') cancelled(this.ofClient, line, message);
    return message.kind !== 'response' || remove(this.ofProcess, line, message.id);
  }

  /** Records a message of the shared process. */
  received(line: Buffer, message: Message): void {
    if (message.kind === 'request') add(this.ofProcess, line, message.id);
    if (message.kind === 'notification') cancelled(this.ofProcess, line, message);
    if (message.kind !== 'response' || remove(this.ofClient, line, message.id)) return;
    const refused = refusedCall(line);
    if (refused !== undefined && this.ofClient.get(refused) === PLAIN_CALL) this.ofClient.delete(refused);
  }

  /**
   * Records a line of the client that is about to be sent on, if it is a plain call. Returns false for a line that must
   * be parsed.
   */
  called(line: Buffer): boolean {
    const id = idOfPlainCall(line);
    if (id === undefined || this.ofClient.has(id)) return false;
    this.ofClient.set(id, PLAIN_CALL);
    if (this.listens.size > 0) this.listens.delete(id);
    return true;
  }

  /** Records a line of the shared process, if it is a plain result. Returns false for any other line. */
  returned(line: Buffer): boolean {
    const id = idOfPlainResult(line);
    if (id !== undefined) this.ofClient.delete(id);
    return id !== undefined;
  }

  isOpen(id: RawId): boolean {
    return this.ofClient.has(idKey(id));
  }

  /** Opens a request that was sent to an earlier process and is sent again. */
  reopen(id: RawId): void {
    this.ofClient.set(idKey(id), id);
  }

  /** True if a message of the client answers or cancels an open request in this table. */
  concerns(line: Buffer, message: Message): boolean {
    if (message.kind === 'response') return has(this.ofProcess, line, message.id);
    if (message.kind !== 'notification' || message.method !== CANCELLED) return false;
    const id = message.params.get('requestId');
    return id !== undefined && has(this.ofClient, line, id);
  }

  /**
   * Closes all requests after the process has ended. Returns the lines that end each request for the client once.
   *
   * @param retained a request that is sent to the next process
   */
  processEnded(retained: RawId | undefined): readonly Buffer[] {
    const kept = retained === undefined ? undefined : idKey(retained);
    const unanswered = [...this.ofClient].filter(([key]) => key !== kept);
    for (const [key] of unanswered) this.ofClient.delete(key);
    const questions = [...this.ofProcess.values()];
    this.ofProcess.clear();
    this.listens.clear();
    const error = { code: ErrorCode.InternalError, message: UNANSWERED };
    return [
      ...unanswered.map(([key, request]) => errorLine(idOf(key, request), error)),
      ...questions.map((id) => {
        const requestId: unknown = JSON.parse(id);
        return notificationLine(CANCELLED, { requestId, reason: WITHDRAWN });
      }),
    ];
  }

  private requested(line: Buffer, { id, method }: Extract<Message, { readonly kind: 'request' }>): void {
    const key = add(this.ofClient, line, id);
    if (key === undefined) return;
    // Open for as long as its client listens, and ends in order with the connection. A reused id may have belonged to
    // another request.
    if (method === LISTEN) this.listens.add(key);
    else if (this.listens.size > 0) this.listens.delete(key);
  }
}

function idOf(key: string, request: OpenRequest): RawId {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- digits are an id, and the key of that id
  return request === PLAIN_CALL ? (key as RawId) : request;
}

/**
 * Returns the id of the plain call that an error refuses because the process could not read the call. Such an error
 * response has no id of its own.
 */
function refusedCall(line: Buffer): string | undefined {
  const response = parsedJson(line.toString());
  const error = isRecord(response) ? response['error'] : undefined;
  const data = isRecord(error) ? error['data'] : undefined;
  const id = isRecord(data) ? data['requestId'] : undefined;
  return typeof id === 'number' ? String(id) : undefined;
}

function add(open: Map<string, OpenRequest>, line: Buffer, span: Span): string | undefined {
  const read = readId(line, span);
  if (!('id' in read)) return undefined;
  const key = idKey(read.id);
  open.set(key, read.id);
  return key;
}

function has(open: ReadonlyMap<string, OpenRequest>, line: Buffer, span: Span): boolean {
  const read = readId(line, span);
  return 'id' in read && open.has(idKey(read.id));
}

/** Removes a request. True if the request was open. */
function remove(open: Map<string, OpenRequest>, line: Buffer, span: Span): boolean {
  const read = readId(line, span);
  return 'id' in read && open.delete(idKey(read.id));
}

/** Removes a cancelled request, which gets no response. */
function cancelled(
  open: Map<string, OpenRequest>,
  line: Buffer,
  { method, params }: Extract<Message, { readonly kind: 'notification' }>,
): void {
  const id = method === CANCELLED ? params.get('requestId') : undefined;
  if (id !== undefined) remove(open, line, id);
}
