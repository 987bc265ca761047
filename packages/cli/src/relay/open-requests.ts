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

const WITHDRAWN = 'the shared mcpmux process has ended';
const UNANSWERED =
  'The shared mcpmux process ended before it answered this request. Whether the request was carried out is unknown. ' +
  'mcpmux starts the process again: send the request again if it may run twice.';

/** The requests of the client and of the shared process that are not answered yet. */
export class OpenRequests {
  private readonly ofClient = new Map<string, RawId>();
  private readonly ofProcess = new Map<string, RawId>();

  /** A message of the client that is sent on. Returns false for an answer to nothing, which is not sent on. */
  sent(line: Buffer, message: Message): boolean {
    if (message.kind === 'request') add(this.ofClient, line, message.id);
    if (message.kind === 'notification') cancelled(this.ofClient, line, message);
    return message.kind !== 'response' || remove(this.ofProcess, line, message.id) !== undefined;
  }

  /** A message of the shared process. */
  received(line: Buffer, message: Message): void {
    if (message.kind === 'request') add(this.ofProcess, line, message.id);
    if (message.kind === 'notification') cancelled(this.ofProcess, line, message);
    if (message.kind === 'response') remove(this.ofClient, line, message.id);
  }

  isOpen(id: RawId): boolean {
    return this.ofClient.has(idKey(id));
  }

  /**
   * The process has ended: the lines that end every request for the client, once each.
   *
   * @param retained a request that is sent to the next process
   */
  processEnded(retained: RawId | undefined): readonly Buffer[] {
    const kept = retained === undefined ? undefined : idKey(retained);
    const unanswered = [...this.ofClient].filter(([key]) => key !== kept);
    for (const [key] of unanswered) this.ofClient.delete(key);
    const questions = [...this.ofProcess.values()];
    this.ofProcess.clear();
    const error = { code: ErrorCode.InternalError, message: UNANSWERED };
    return [
      ...unanswered.map(([, id]) => errorLine(id, error)),
      ...questions.map((id) => {
        const requestId: unknown = JSON.parse(id);
        return notificationLine('notifications/cancelled', { requestId, reason: WITHDRAWN });
      }),
    ];
  }
}

function add(open: Map<string, RawId>, line: Buffer, span: Span): void {
  const read = readId(line, span);
  if ('id' in read) open.set(idKey(read.id), read.id);
}

function remove(open: Map<string, RawId>, line: Buffer, span: Span): RawId | undefined {
  const read = readId(line, span);
  if (!('id' in read)) return undefined;
  const key = idKey(read.id);
  const id = open.get(key);
  open.delete(key);
  return id;
}

/** A cancelled request gets no answer. */
function cancelled(
  open: Map<string, RawId>,
  line: Buffer,
  { method, params }: Extract<Message, { readonly kind: 'notification' }>,
): void {
  const id = method === 'notifications/cancelled' ? params.get('requestId') : undefined;
  if (id !== undefined) remove(open, line, id);
}
