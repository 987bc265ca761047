import {
  type Channel,
  type ChannelEnd,
  type ChannelHandler,
  inOnePiece,
  type OutgoingLine,
} from '@mcpmux/wire';
import type { Clock } from '../base/clock.js';
import { isRecord } from '../base/is-record.js';
import type { TextMask } from '../base/text-mask.js';
import { HeldLines } from './held-lines.js';
import { RemoteError } from './remote-error.js';
import { RemoteSession } from './remote-session.js';
import type { RemoteEndpoint } from './remote-endpoint.js';
import type { RemoteTransports } from './remote-transport.js';

/** What a {@link RemoteChannel} works with. */
export interface RemoteChannelInit {
  readonly endpoint: RemoteEndpoint;
  /** The messages that open the session. */
  readonly opening: { readonly request: string; readonly notification: string };
  readonly transports: RemoteTransports;
  readonly clock: Clock;
  /** Takes the secrets of the server out of its text. */
  readonly mask: TextMask;
  /** Bytes of one message of the server. */
  readonly maxMessageBytes: number;
  /** Bytes on their way to the server above which the channel counts as saturated. */
  readonly highWatermarkBytes: number;
  /** The request with this id will get no answer; the session goes on. */
  readonly undelivered: (id: unknown, error: RemoteError) => void;
  /** Something went wrong that no request was waiting for. */
  readonly trouble: (problem: string) => void;
}

type Message = Readonly<Record<string, unknown>>;

/**
 * Lines over HTTP. Each request is a POST of its own: none waits for the answer to another, and one that fails does not
 * end the session. The transports of the SDK carry objects: numbers beyond 2^53 and duplicate keys do not survive.
 */
export class RemoteChannel implements Channel {
  private handler: ChannelHandler | undefined;
  /** What has to be over before the next message leaves: the handshake, step by step. */
  private before: Promise<void> = Promise.resolve();
  /** Requests that wait for their answer. */
  private readonly calls = new Map<unknown, AbortController>();
  /** The id of the opening request, until it is answered. */
  private openingId: unknown;
  private unsentBytes = 0;
  private isSaturated = false;
  private outcome: ChannelEnd | undefined;
  private readonly held = new HeldLines((line) => this.handler?.line(line));
  private readonly session: RemoteSession;
  private closing: Promise<void> | undefined;

  constructor(private readonly init: RemoteChannelInit) {
    const { endpoint, transports, clock, mask, maxMessageBytes, trouble } = init;
    const body = { maxMessageBytes, whenReadable: () => this.held.whenTaken() };
    this.session = new RemoteSession(
      endpoint,
      { transports, clock, mask, body },
      {
        message: (message) => this.receive(message),
        over: (error) => this.over({ reason: 'failed', error }),
        trouble,
      },
    );
  }

  get saturated(): boolean {
    return this.isSaturated;
  }

  get queuedBytes(): number {
    return this.unsentBytes;
  }

  open(handler: ChannelHandler): void {
    this.handler = handler;
  }

  send(outgoing: OutgoingLine): void {
    if (this.outcome !== undefined) return;
    const line = inOnePiece(outgoing);
    const message: Message = JSON.parse(line.toString('utf8'));
    this.unsentBytes += line.length;
    if (this.unsentBytes > this.init.highWatermarkBytes) this.isSaturated = true;
    const sending = this.before.then(() => this.pass(message)).finally(() => this.sent(line.length));
    // The server knows of the session, and that it has begun, before it gets anything else.
    const { method } = message;
    const { request, notification } = this.init.opening;
    if (method === request || method === notification) this.before = sending;
  }

  /** The server waits meanwhile: nothing more is read of its answers. */
  pause(): void {
    this.held.pause();
  }

  resume(): void {
    this.held.resume();
  }

  end(): Promise<void> {
    return this.close(0);
  }

  destroy(): void {
    void this.close(0);
  }

  /** Ends the session: the server is told within `limitMs`. Resolves when nothing of it is open any more. */
  close(limitMs: number): Promise<void> {
    this.over({ reason: 'closed' });
    this.closing ??= this.session.close(limitMs);
    return this.closing;
  }

  /** Never rejects. */
  private async pass(message: Message): Promise<void> {
    if (this.outcome !== undefined) return;
    const { id, method } = message;
    const isOpening = method === this.init.opening.request;
    if (isOpening) this.openingId = id;
    try {
      if (isOpening) await this.session.open(message, this.expect(id));
      else if (id !== undefined && method !== undefined) await this.session.send(message, this.expect(id));
      else await this.session.send(message);
      if (method === 'notifications/cancelled') this.cancelled(message);
    } catch (error) {
      this.failed(message, error);
    }
  }

  private expect(id: unknown): { requestSignal: AbortSignal; onRequestStreamEnd: () => void } {
    const controller = new AbortController();
    this.calls.set(id, controller);
    return {
      requestSignal: controller.signal,
      onRequestStreamEnd: () => {
        const problem = 'it ended the stream of this request without an answer';
        const advice = 'The request may have had effects. Check them, then try again.';
        this.unanswered(id, new RemoteError(problem, advice));
      },
    };
  }

  /** Its answer is not awaited any more, and servers keep the stream of a cancelled call open. */
  private cancelled({ params }: Message): void {
    const id = isRecord(params) ? params['requestId'] : undefined;
    const controller = this.calls.get(id);
    this.calls.delete(id);
    controller?.abort();
  }

  private failed({ id, method }: Message, error: unknown): void {
    const problem = error instanceof RemoteError ? error : new RemoteError(String(error));
    if (id !== undefined && method !== undefined) return this.unanswered(id, problem);
    if (this.outcome === undefined) this.init.trouble(problem.problem);
  }

  private unanswered(id: unknown, error: RemoteError): void {
    if (!this.calls.delete(id) || this.outcome !== undefined) return;
    this.init.undelivered(id, error);
  }

  private receive(message: unknown): void {
    if (this.outcome !== undefined || !isRecord(message)) return;
    const { id, method, result } = message;
    if (method === undefined) {
      this.calls.delete(id);
      if (id === this.openingId) this.opened(result);
    }
    this.held.push(Buffer.from(JSON.stringify(message)));
  }

  private opened(result: unknown): void {
    this.openingId = undefined;
    const version = isRecord(result) ? result['protocolVersion'] : undefined;
    if (typeof version === 'string') this.session.agreed(version);
  }

  private sent(bytes: number): void {
    this.unsentBytes -= bytes;
    if (!this.isSaturated || this.unsentBytes > this.init.highWatermarkBytes) return;
    this.isSaturated = false;
    if (this.outcome === undefined) this.handler?.drained();
  }

  private over(outcome: ChannelEnd): void {
    if (this.outcome !== undefined) return;
    // What arrived before the end comes before it.
    this.held.release();
    this.outcome = outcome;
    this.handler?.ended(outcome);
  }
}
