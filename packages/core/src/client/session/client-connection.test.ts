import { expect, it } from 'vitest';

import { ManualChannel } from '../../testing/manual-channel.js';
import type { Connection } from '../../server/link/connection.js';
import { ClientFlow } from './client-connection.js';

it('a server that goes on at once, and has to wait for the same client again, is let go on again', () => {
  const channel = new ManualChannel();
  const flow = new ClientFlow(channel, {}, 1000);
  let linesLeft = 3;
  const server = {
    isHeld: false,
    hold(): void {
      server.isHeld = true;
    },
    /** Sends what has been waiting, until it is held again. */
    release(): void {
      server.isHeld = false;
      for (; linesLeft > 0 && !server.isHeld; linesLeft -= 1) {
        channel.saturate(500);
        flow.sent(connection, false);
      }
    },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the two methods that a flow calls
  const connection = { calls: server } as unknown as Connection;
  server.release();
  for (const left of [2, 1, 0]) {
    expect([server.isHeld, linesLeft]).toEqual([true, left]);
    channel.drain();
    flow.release(true);
  }
  expect([server.isHeld, linesLeft]).toEqual([false, 0]);
});
