import type { ChannelEnd, ChannelHandler, LineChannel } from './line-channel.js';

/**
 * What mcpmux needs of a transport of the official SDKs.
 *
 * Written structurally, so that the transports of `@modelcontextprotocol/sdk` (v1) and of
 * `@modelcontextprotocol/client` and `/server` (v2) all fit and none of them is a dependency.
 */
export interface SdkTransport {
  start(): Promise<void>;
  send(message: never): Promise<void>;
  close(): Promise<void>;
  onmessage?: ((message: never) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
}

/**
 * Lines over an SDK transport, which carries objects: each message is serialized once on its way in and parsed once
 * on its way out, so numbers beyond 2^53 and duplicate keys do not survive. Use byte streams where that matters.
 */
export class TransportChannel implements LineChannel {
  readonly saturated = false;
  private handler: ChannelHandler | undefined;
  private sending: Promise<void> = Promise.resolve();
  private unsentBytes = 0;
  private readonly waiting: Buffer[] = [];
  private isPaused = false;
  private isOver = false;

  constructor(private readonly transport: SdkTransport) {}

  get queuedBytes(): number {
    return this.unsentBytes;
  }

  open(handler: ChannelHandler): void {
    this.handler = handler;
    const { transport } = this;
    transport.onmessage = (message: unknown) => this.receive(Buffer.from(JSON.stringify(message)));
    transport.onclose = () => this.over({ reason: 'closed' });
    // SDK transports report lines they could not read here and go on: only a failed start or send ends the channel.
    transport.onerror = () => undefined;
    transport.start().catch((error: unknown) => this.over({ reason: 'failed', error: toError(error) }));
  }

  send(line: Buffer): void {
    if (this.isOver) return;
    const message = JSON.parse(line.toString('utf8')) as never;
    this.unsentBytes += line.length;
    this.sending = this.sending
      .then(() => this.transport.send(message))
      .catch((error: unknown) => this.over({ reason: 'failed', error: toError(error) }))
      .then(() => {
        this.unsentBytes -= line.length;
      });
  }

  /** The transport has no flow control of its own: what arrives meanwhile is held here. */
  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
    while (!this.isPaused) {
      const line = this.waiting.shift();
      if (line === undefined) return;
      this.handler?.line(line);
    }
  }

  async end(): Promise<void> {
    await this.sending;
    await this.transport.close();
  }

  destroy(): void {
    this.over({ reason: 'closed' });
    void this.transport.close().catch(() => undefined);
  }

  private receive(line: Buffer): void {
    if (this.isPaused) this.waiting.push(line);
    else this.handler?.line(line);
  }

  private over(end: ChannelEnd): void {
    if (this.isOver) return;
    this.isOver = true;
    this.handler?.ended(end);
  }
}

function toError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause));
}
