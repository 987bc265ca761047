import type { Channel, ChannelEnd, ChannelHandler } from '@mcpmux/wire';

/** The server's end of a connection in memory. What it sends arrives in a later microtask. */
export class ServerPeer implements ChannelHandler {
  /** The lines that have arrived, without their newlines. */
  readonly received: string[] = [];
  readonly ends: ChannelEnd[] = [];

  constructor(private readonly channel: Channel) {
    channel.open(this);
  }

  /** Sends lines as they are. */
  send(...lines: readonly string[]): void {
    for (const line of lines) this.channel.send(Buffer.from(`${line}\n`));
  }

  /** Answers a request of mcpmux. `result` is JSON. */
  answer(id: number, result: string): void {
    this.send(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);
  }

  /** Closes the connection. */
  close(): void {
    this.channel.destroy();
  }

  line(line: Buffer): void {
    this.received.push(line.toString());
  }

  oversized(): void {
    throw new Error('mcpmux has sent a line that is too long');
  }

  ended(end: ChannelEnd): void {
    this.ends.push(end);
  }

  drained(): void {
    // Memory does not fill up.
  }
}
