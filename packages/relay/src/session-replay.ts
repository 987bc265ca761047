import { INITIALIZE, INITIALIZED, SET_LEVEL, SUBSCRIBE, UNSUBSCRIBE } from '@mcpmux/kit';
import { readId, splice, stringId, stringAt, type Message, type RawId, type Span } from '@mcpmux/wire';

type Request = Extract<Message, { readonly kind: 'request' }>;

/** A request of the client that is also sent to the next process. */
interface StoredRequest {
  readonly line: Buffer;
  readonly id: Span;
}

/** The session state of a client that the next process needs, such as its `initialize` and subscriptions. */
export class SessionReplay {
  private initialize: StoredRequest | undefined;
  private initializedLine: Buffer | undefined;
  private levelRequest: StoredRequest | undefined;
  private readonly subscriptions = new Map<string, StoredRequest>();
  /** The ids of requests that the relay itself sent. Their responses are not forwarded to the client. */
  private readonly ownIds = new Set<string>();
  private issued = 0;

  /** The id of the client's `initialize`. */
  get initializeId(): RawId | undefined {
    const { initialize } = this;
    const read = initialize && readId(initialize.line, initialize.id);
    return read !== undefined && 'id' in read ? read.id : undefined;
  }

  /** True if the client has sent `notifications/initialized` and may receive notifications. */
  get isInitialized(): boolean {
    return this.initializedLine !== undefined;
  }

  /** Records a forwarded message of the client. */
  recordSent(line: Buffer, message: Message): void {
    if (message.kind === 'request') this.store(line, message);
    if (message.kind === 'notification' && message.method === INITIALIZED)
      this.initializedLine = Buffer.from(line);
  }

  /** True for the first response to a request that the relay itself sent. */
  isOwnAnswer(line: Buffer, message: Message): boolean {
    const read = message.kind === 'response' ? readId(line, message.id) : undefined;
    return read !== undefined && 'id' in read && this.ownIds.delete(read.id);
  }

  /** Returns the lines that begin the session with the next process. */
  lines(isInitializeOpen: boolean): readonly Buffer[] {
    const { initialize, initializedLine, levelRequest } = this;
    if (initialize === undefined) return [];
    if (isInitializeOpen) return [Buffer.concat([initialize.line, Buffer.from('\n')])];
    const requests = [...(levelRequest === undefined ? [] : [levelRequest]), ...this.subscriptions.values()];
    return [
      this.repeated(initialize),
      ...(initializedLine === undefined ? [] : [Buffer.concat([initializedLine, Buffer.from('\n')])]),
      ...requests.map((request) => this.repeated(request)),
    ];
  }

  private store(line: Buffer, { method, id, params }: Request): void {
    const stored = (): StoredRequest => ({ line: Buffer.from(line), id });
    const span = params.get('uri');
    const uri = span && stringAt(line, span);
    if (method === INITIALIZE) this.initialize = stored();
    else if (method === SET_LEVEL) this.levelRequest = stored();
    else if (method === SUBSCRIBE && uri !== undefined) this.subscriptions.set(uri, stored());
    else if (method === UNSUBSCRIBE && uri !== undefined) this.subscriptions.delete(uri);
  }

  private repeated({ line, id }: StoredRequest): Buffer {
    this.issued += 1;
    const ownId = stringId(`mcpmux-relay-${this.issued}`);
    this.ownIds.add(ownId);
    return splice(line, [{ span: id, bytes: ownId }]);
  }
}
