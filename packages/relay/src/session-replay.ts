import { INITIALIZE, INITIALIZED, SET_LEVEL, SUBSCRIBE, UNSUBSCRIBE } from '@mcpmux/kit';
import { readId, splice, stringId, stringAt, type Message, type RawId, type Span } from '@mcpmux/wire';

type Request = Extract<Message, { readonly kind: 'request' }>;

/** A client request that is also sent to later processes. */
interface StoredRequest {
  readonly line: Buffer;
  readonly idSpan: Span;
}

/** The parts of a client's session that the next process needs, such as its `initialize` and subscriptions. */
export class SessionReplay {
  private initializeRequest: StoredRequest | undefined;
  private initializedLine: Buffer | undefined;
  private levelRequest: StoredRequest | undefined;
  private readonly subscribeRequests = new Map<string, StoredRequest>();
  /** The ids of requests that the relay itself has sent. Their responses are not forwarded to the client. */
  private readonly relayIds = new Set<string>();
  private issuedCount = 0;

  /** The id of the client's `initialize`. */
  get initializeId(): RawId | undefined {
    const { initializeRequest } = this;
    const read = initializeRequest && readId(initializeRequest.line, initializeRequest.idSpan);
    return read !== undefined && 'id' in read ? read.id : undefined;
  }

  /** True if the client has sent `notifications/initialized` and may receive notifications. */
  get isInitialized(): boolean {
    return this.initializedLine !== undefined;
  }

  /** Records a forwarded client message. */
  recordClientMessage(line: Buffer, message: Message): void {
    if (message.kind === 'request') this.storeRequest(line, message);
    if (message.kind === 'notification' && message.method === INITIALIZED)
      this.initializedLine = Buffer.from(line);
  }

  /** True for the first response to a request that the relay itself has sent. */
  takeRelayAnswer(line: Buffer, message: Message): boolean {
    const read = message.kind === 'response' ? readId(line, message.id) : undefined;
    return read !== undefined && 'id' in read && this.relayIds.delete(read.id);
  }

  /** Returns the lines with which to begin the session with the next process. */
  openingLines(isInitializeOpen: boolean): readonly Buffer[] {
    const { initializeRequest, initializedLine, levelRequest } = this;
    if (initializeRequest === undefined) return [];
    if (isInitializeOpen) return [Buffer.concat([initializeRequest.line, Buffer.from('\n')])];
    const requests = [
      ...(levelRequest === undefined ? [] : [levelRequest]),
      ...this.subscribeRequests.values(),
    ];
    return [
      this.withRelayId(initializeRequest),
      ...(initializedLine === undefined ? [] : [Buffer.concat([initializedLine, Buffer.from('\n')])]),
      ...requests.map((request) => this.withRelayId(request)),
    ];
  }

  private storeRequest(line: Buffer, { method, id, params }: Request): void {
    const copyRequest = (): StoredRequest => ({ line: Buffer.from(line), idSpan: id });
    const uriSpan = params.get('uri');
    const uri = uriSpan && stringAt(line, uriSpan);
    if (method === INITIALIZE) this.initializeRequest = copyRequest();
    else if (method === SET_LEVEL) this.levelRequest = copyRequest();
    else if (method === SUBSCRIBE && uri !== undefined) this.subscribeRequests.set(uri, copyRequest());
    else if (method === UNSUBSCRIBE && uri !== undefined) this.subscribeRequests.delete(uri);
  }

  private withRelayId({ line, idSpan: id }: StoredRequest): Buffer {
    this.issuedCount += 1;
    const relayId = stringId(`mcpmux-relay-${this.issuedCount}`);
    this.relayIds.add(relayId);
    return splice(line, [{ span: id, bytes: relayId }]);
  }
}
