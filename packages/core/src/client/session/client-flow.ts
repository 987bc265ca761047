import type { Channel } from '@mcpmux/wire';
import type { Connection } from '../../server/link/connection.js';

/**
 * The flow of output to a client that does not read it. First its servers wait, then mcpmux stops reading from the
 * client too, and the owner of the flow is notified when the queue exceeds its limit.
 */
export class ClientFlow {
  private readonly held = new Set<Connection>();
  /** True while mcpmux reads nothing from the client, because the client has read too little. */
  private isUnread = false;

  /**
   * @param caller the client, as the servers' connections know it
   * @param maxQueueBytes the maximum length of the client's queue, in bytes
   */
  constructor(
    private readonly channel: Channel,
    private readonly caller: object,
    private readonly maxQueueBytes: number,
  ) {}

  /**
   * A line was sent to a client that has not read earlier ones. If the client cannot take more, the server that wrote
   * the line waits. If the queue is too long, mcpmux also stops reading the client's requests, until the client has
   * read its answers.
   *
   * @param isShared true if other clients listen to the server as well
   * @returns the number of queued bytes if a server's line makes them too many, otherwise undefined
   */
  sent(from: Connection | undefined, isShared: boolean): number | undefined {
    const { queuedBytes, saturated } = this.channel;
    const isTooMuch = queuedBytes > this.maxQueueBytes;
    if (isTooMuch && !this.isUnread) {
      this.isUnread = true;
      this.channel.pause();
    }
    if (!saturated || from === undefined) return undefined;
    from.calls.hold(this.caller, isShared);
    this.held.add(from);
    return isTooMuch ? queuedBytes : undefined;
  }

  /** The client has read everything, or has gone. */
  release(readsOn: boolean): void {
    if (this.isUnread && readsOn) this.channel.resume();
    this.isUnread = false;
    const held = [...this.held];
    for (const connection of held) {
      // Removed first, because a server that continues at once may have to wait for this client again.
      this.held.delete(connection);
      connection.calls.release(this.caller);
    }
  }
}
