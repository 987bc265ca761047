import { expect, it } from 'vitest';

import { ManualChannel } from '../../testing/manual-channel.js';
import type { Connection } from '../../server/link/connection.js';
import { ClientFlow } from './client-connection.js';

it('a server that goes on at once, and has to wait for the same client again, is let go on again', () => {
  const channel = new ManualChannel();
  const flow = new ClientFlow(channel, {}, 1000);
  let linesLeft = 3;
  const server = {
    isOutputPaused: false,
    pauseOutput(): void {
      server.isOutputPaused = true;
    },
    /** Sends what has been waiting, until it is held again. */
    resumeOutput(): void {
      server.isOutputPaused = false;
      for (; linesLeft > 0 && !server.isOutputPaused; linesLeft -= 1) {
        channel.saturate(500);
        flow.handleSent(connection, false);
      }
    },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the two methods that a flow calls
  const connection = { calls: server } as unknown as Connection;
  server.resumeOutput();
  for (const left of [2, 1, 0]) {
    expect([server.isOutputPaused, linesLeft]).toEqual([true, left]);
    channel.drain();
    flow.resumeServers(true);
  }
  expect([server.isOutputPaused, linesLeft]).toEqual([false, 0]);
});
