import type { Channel, ChannelEnd, ChannelHandler, OutgoingLine, OversizedLine } from '@mcpmux/wire';
import { waitAtMost, type Clock } from '../../base/clock.js';
import type { Limits } from '../../base/limits.js';
import type { Logger } from '../../base/logger.js';
import type { Connection } from '../../upstream/link/connection.js';
import type { ClientDialect } from '../methods/client-dialect.js';
import { ClientDecoder, type ClientMessageHandler } from './client-decoder.js';
import { ClientFlow } from './client-flow.js';

/** The session on whose behalf a {@link ClientConnection} sends and reads. */
export interface ConnectedSession extends ClientMessageHandler {
  /** No further line will come. */
  inputEnded(end: ChannelEnd): void;
  /** Ends the session at once. */
  close(): void;
}

/** What a {@link ClientConnection} works with. */
export interface ClientConnectionParts {
  readonly dialect: ClientDialect;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: Pick<Limits, 'maxLineBytes' | 'maxClientQueueBytes'>;
}

/** How long the last answers may take to leave. */
const FLUSH_MS = 500;

/** The pipe to one client: its channel, the decoder of its lines, and how much may wait for it. */
export class ClientConnection implements ChannelHandler {
  private readonly decoder: ClientDecoder;
  private readonly flow: ClientFlow;
  private isClosed = false;
  /** The last answers are on their way: nothing more is read. */
  private isFinishing = false;

  constructor(
    private readonly channel: Channel,
    private readonly session: ConnectedSession,
    private readonly parts: ClientConnectionParts,
  ) {
    const { maxLineBytes, maxClientQueueBytes } = parts.limits;
    this.decoder = new ClientDecoder(session, parts.dialect, maxLineBytes);
    this.flow = new ClientFlow(channel, session, maxClientQueueBytes);
  }

  open(): void {
    this.channel.open(this);
  }

  line(line: Buffer): void {
    this.decoder.line(line);
  }

  oversized(line: OversizedLine): void {
    this.decoder.oversized(line);
  }

  ended(end: ChannelEnd): void {
    this.session.inputEnded(end);
  }

  drained(): void {
    this.flow.release(!this.isFinishing);
  }

  /** Sends a line. See {@link Caller.send} for `from` and `isShared`. */
  send(line: OutgoingLine, from?: Connection, isShared = false): void {
    if (this.isClosed) return;
    const { channel, parts } = this;
    channel.send(line);
    if (!channel.saturated && channel.queuedBytes <= parts.limits.maxClientQueueBytes) return;
    const queuedBytes = this.flow.sent(from, isShared);
    if (queuedBytes === undefined) return;
    parts.logger.log('warn', 'dropped a client that does not read', { queuedBytes });
    this.session.close();
  }

  /** Reads nothing more: from here on nothing is answered but what has been asked. */
  stopReading(): void {
    this.isFinishing = true;
    this.channel.pause();
  }

  /** Resolves when what is queued has left, or has had its time: a client that does not read keeps nobody waiting. */
  async flush(): Promise<void> {
    await waitAtMost(FLUSH_MS, this.channel.end(), this.parts.clock);
  }

  close(): void {
    this.isClosed = true;
    this.drained();
    this.channel.destroy();
  }
}
