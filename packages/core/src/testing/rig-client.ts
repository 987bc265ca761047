import type { Channel } from '@mcpmux/wire';
import { ChannelRecorder } from '@mcpmux/testing/channel-recorder';
import { nextTurn } from '@mcpmux/testing/next-turn';
import type { Session } from '../client/session/session.js';

/** A client that the test plays. */
export class RigClient extends ChannelRecorder {
  constructor(
    private readonly channel: Channel,
    readonly session: Session,
  ) {
    super();
    channel.open(this);
  }

  /** Sends lines, and waits until all that follows has happened. Gives what the client is sent in the meantime. */
  async exchange(...lines: readonly string[]): Promise<readonly string[]> {
    const before = this.lines.length;
    for (const line of lines) this.channel.send(Buffer.from(`${line}\n`));
    await nextTurn();
    return this.lines.slice(before);
  }

  /** {@link exchange} of one request: id and params are JSON text. */
  request(id: string, method: string, params = '{}'): Promise<readonly string[]> {
    return this.exchange(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`);
  }

  /** What it was sent since this was asked last. */
  take(): readonly string[] {
    return this.lines.splice(0);
  }

  /** Closes its side, and waits until all that follows has happened. */
  async leave(): Promise<void> {
    this.channel.destroy();
    this.session.close();
    await nextTurn();
  }
}
