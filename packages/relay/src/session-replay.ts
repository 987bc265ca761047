import { INITIALIZE, INITIALIZED, SET_LEVEL, SUBSCRIBE, UNSUBSCRIBE } from '@mcpmux/kit';
import { readId, splice, stringId, stringAt, type Message, type RawId, type Span } from '@mcpmux/wire';

type Request = Extract<Message, { readonly kind: 'request' }>;

/** A request of the client that is also sent to the next process. */
interface Remembered {
  readonly line: Buffer;
  readonly id: Span;
}

/** A client's `initialize` and subscriptions, for another process. */
export class SessionReplay {
  private initialize: Remembered | undefined;
  private initialized: Buffer | undefined;
  private level: Remembered | undefined;
  private readonly subscriptions = new Map<string, Remembered>();
  /** The requests that the relay sent for the client, which gets no response to them. */
  private readonly own = new Set<string>();
  private issued = 0;

  /** The id of the client's `initialize`. */
  get initializeId(): RawId | undefined {
    const { initialize } = this;
    const read = initialize && readId(initialize.line, initialize.id);
    return read !== undefined && 'id' in read ? read.id : undefined;
  }

  /** True if the client is treated as initialized, so that it gets notifications. */
  get isInitialized(): boolean {
    return this.initialized !== undefined;
  }

  /** Records a message of the client that is sent on. */
  sent(line: Buffer, message: Message): void {
    if (message.kind === 'request') this.requested(line, message);
    if (message.kind === 'notification' && message.method === INITIALIZED)
      this.initialized = Buffer.from(line);
  }

  /** True for a response to a line of {@link lines}, which the client did not send. */
  isOwnAnswer(line: Buffer, message: Message): boolean {
    const read = message.kind === 'response' ? readId(line, message.id) : undefined;
    return read !== undefined && 'id' in read && this.own.delete(read.id);
  }

  /** Returns the lines that begin the session with the next process. */
  lines(isInitializeOpen: boolean): readonly Buffer[] {
    const { initialize, initialized, level } = this;
    if (initialize === undefined) return [];
    if (isInitializeOpen) return [Buffer.concat([initialize.line, Buffer.from('\n')])];
    const requests = [...(level === undefined ? [] : [level]), ...this.subscriptions.values()];
    return [
      this.again(initialize),
      ...(initialized === undefined ? [] : [Buffer.concat([initialized, Buffer.from('\n')])]),
      ...requests.map((request) => this.again(request)),
    ];
  }

  private requested(line: Buffer, { method, id, params }: Request): void {
    const remembered = (): Remembered => ({ line: Buffer.from(line), id });
    const span = params.get('uri');
    const uri = span && stringAt(line, span);
    if (method === INITIALIZE) this.initialize = remembered();
    else if (method === SET_LEVEL) this.level = remembered();
    else if (method === SUBSCRIBE && uri !== undefined) this.subscriptions.set(uri, remembered());
    else if (method === UNSUBSCRIBE && uri !== undefined) this.subscriptions.delete(uri);
  }

  private again({ line, id }: Remembered): Buffer {
    this.issued += 1;
    const own = stringId(`mcpmux-relay-${this.issued}`);
    this.own.add(own);
    return splice(line, [{ span: id, bytes: own }]);
  }
}
