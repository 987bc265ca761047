import type { Channel } from '@mcpmux/wire';
import type { Connection } from '../../upstream/link/connection.js';

/**
 * What becomes of a client that does not read what it is sent: servers that work for it wait, then nothing more is read
 * from it either, and whoever owns it is told when more waits for it than may.
 */
export class ClientFlow {
  private readonly held = new Set<Connection>();
  /** The client has not read for so long that nothing more is read from it. */
  private isUnread = false;

  /**
   * @param reader who the servers work for, as their connections know it
   * @param maxQueueBytes what may wait for the client, in bytes
   */
  constructor(
    private readonly channel: Channel,
    private readonly reader: object,
    private readonly maxQueueBytes: number,
  ) {}

  /**
   * A line of this server was sent: the server waits if the client cannot take more.
   *
   * @param isShared other clients listen to the server as well
   * @returns how many bytes wait for the client when those are too many, otherwise undefined
   */
  restrain(connection: Connection, isShared: boolean): number | undefined {
    if (!this.channel.saturated) return undefined;
    connection.calls.hold(this.reader, isShared);
    this.held.add(connection);
    const { queuedBytes } = this.channel;
    return queuedBytes > this.maxQueueBytes ? queuedBytes : undefined;
  }

  /** A client that asks and asks and does not read the answers is not read any more either, until it has caught up. */
  watchQueue(): void {
    if (this.isUnread || this.channel.queuedBytes <= this.maxQueueBytes) return;
    this.isUnread = true;
    this.channel.pause();
  }

  /** The client has caught up, or is no more. */
  release(readsOn: boolean): void {
    if (this.isUnread && readsOn) this.channel.resume();
    this.isUnread = false;
    const held = [...this.held];
    for (const connection of held) {
      // Before: a server that goes on at once may have to wait for this client again.
      this.held.delete(connection);
      connection.calls.release(this.reader);
    }
  }
}
