import type { Channel } from '@mcpmux/wire';
import type { Connection } from '../../server/link/connection.js';

/**
 * The flow of a client that does not read its output: its servers wait, then mcpmux pauses the client too, and the
 * owner of the flow is told when the queue exceeds its limit.
 */
export class ClientFlow {
  private readonly held = new Set<Connection>();
  /** The client has read nothing for too long, so nothing more is read from it. */
  private isUnread = false;

  /**
   * @param caller on whose behalf the servers work, as their connections know it
   * @param maxQueueBytes what may wait for the client, in bytes
   */
  constructor(
    private readonly channel: Channel,
    private readonly caller: object,
    private readonly maxQueueBytes: number,
  ) {}

  /**
   * A line was sent to a client that is behind. The server that wrote it waits if the client cannot take more. A client that asks and asks and does
   * not read the answers is not read any more either, until it has caught up.
   *
   * @param isShared other clients listen to the server as well
   * @returns how many bytes of servers wait for the client when those are too many, otherwise undefined
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

  /** The client has caught up, or is no more. */
  release(readsOn: boolean): void {
    if (this.isUnread && readsOn) this.channel.resume();
    this.isUnread = false;
    const held = [...this.held];
    for (const connection of held) {
      // Before: a server that goes on at once may have to wait for this client again.
      this.held.delete(connection);
      connection.calls.release(this.caller);
    }
  }
}
