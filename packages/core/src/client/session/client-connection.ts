import { type Kit, waitAtMost } from '@mcpmux/kit';
import type { Channel, OutgoingLine, RawId } from '@mcpmux/wire';
import type { Connection } from '../../server/link/connection.js';
import type { ClientPipe } from './client-pipe.js';
import type { Session } from './session.js';

type ConnectedSession = Pick<Session, 'decoder' | 'taps' | 'handleInputEnd' | 'close'>;

/** When a session ends, a client that reads nothing for this many milliseconds is disconnected. */
const FLUSH_CHECK_MS = 500;
/** After this many {@link FLUSH_CHECK_MS} intervals, even a client that is still reading is disconnected. */
const MAX_FLUSH_CHECKS = 60;

/** The pipe to one client: its channel, with a limit on its queue. */
export class ClientConnection implements ClientPipe {
  readonly isPersistent = true;
  private readonly flow: ClientFlow;
  private isClosed = false;
  /** True once mcpmux no longer reads from the client and sends only the last answers. */
  private isFinishing = false;

  constructor(
    private readonly channel: Channel,
    private readonly session: ConnectedSession,
    private readonly kit: Kit<'maxClientQueueBytes'>,
  ) {
    this.flow = new ClientFlow(channel, session, kit.limits.maxClientQueueBytes);
  }

  open(): void {
    const { session, channel } = this;
    const { decoder, taps } = session;
    channel.open({
      line: (line) => {
        if (taps.hasTaps) taps.report('client', line);
        decoder.line(line);
      },
      oversized: decoder.oversized.bind(decoder),
      ended: session.handleInputEnd.bind(session),
      drained: () => this.flow.resumeServers(!this.isFinishing),
    });
  }

  /** Sends a line. See {@link Caller.send} for `from` and `isShared`, and {@link Channel.send} for `answers`. */
  send(line: OutgoingLine, from?: Connection, isShared = false, answers?: RawId): void {
    if (this.isClosed) return;
    const { channel, kit, session } = this;
    if (session.taps.hasTaps) session.taps.report('mcpmux', line);
    channel.send(line, answers);
    if (!channel.saturated && channel.queuedBytes <= kit.limits.maxClientQueueBytes) return;
    const queuedBytes = this.flow.handleSent(from, isShared);
    if (queuedBytes === undefined) return;
    kit.logger.log('warn', 'dropped a client that does not read', { queuedBytes });
    session.close();
  }

  /** Stops reading from the client. Requests that mcpmux has already received are still answered. */
  stopReading(): void {
    this.isFinishing = true;
    this.channel.pause();
  }

  /** Resolves when the queue is written or the client stops reading, so that a stalled client delays nothing else. */
  async flush(): Promise<void> {
    const { channel, kit } = this;
    const whenWritten = channel.end();
    for (let checks = 0; checks < MAX_FLUSH_CHECKS; checks += 1) {
      const previousProgress = channel.progress;
      if (await waitAtMost(FLUSH_CHECK_MS, whenWritten, kit.clock)) return;
      if (channel.progress === previousProgress) return;
    }
  }

  close(): void {
    this.isClosed = true;
    this.flow.resumeServers(!this.isFinishing);
    this.channel.destroy();
  }
}

/**
 * Pauses the servers that send to a client that reads too slowly. If the client's send queue exceeds its limit, mcpmux
 * also stops reading from the client.
 */
export class ClientFlow {
  private readonly pausedConnections = new Set<Connection>();
  /** True while mcpmux does not read from the client, because the client's queue has exceeded its limit. */
  private isOverLimit = false;

  /**
   * @param caller identifies the client when a server's connection is paused or resumed
   * @param maxQueueBytes the maximum length of the client's queue, in bytes
   */
  constructor(
    private readonly channel: Channel,
    private readonly caller: object,
    private readonly maxQueueBytes: number,
  ) {}

  /**
   * Called after a line was sent while the client's channel is saturated or its queue exceeds the limit. Pauses the
   * server that sent the line if the channel is saturated. Stops reading from the client, until it has read everything,
   * if the queue exceeds the limit.
   *
   * @param isShared true if other clients also receive lines from the server
   * @returns the number of queued bytes if a server's line makes the queue exceed its limit, otherwise undefined
   */
  handleSent(from: Connection | undefined, isShared: boolean): number | undefined {
    const { queuedBytes, saturated } = this.channel;
    const exceedsLimit = queuedBytes > this.maxQueueBytes;
    if (exceedsLimit && !this.isOverLimit) {
      this.isOverLimit = true;
      this.channel.pause();
    }
    if (!saturated || from === undefined) return undefined;
    from.calls.pauseOutput(this.caller, isShared);
    this.pausedConnections.add(from);
    return exceedsLimit ? queuedBytes : undefined;
  }

  /** Resumes the paused servers once the client has read everything or has disconnected. */
  resumeServers(readsOn: boolean): void {
    if (this.isOverLimit && readsOn) this.channel.resume();
    this.isOverLimit = false;
    const connections = [...this.pausedConnections];
    for (const connection of connections) {
      // Deleted before the server resumes, because the server may immediately be paused for this client again.
      this.pausedConnections.delete(connection);
      connection.calls.resumeOutput(this.caller);
    }
  }
}
