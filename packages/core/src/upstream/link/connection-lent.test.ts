import { describe, expect, it } from 'vitest';

import { smallReadBuffer } from '@mcpmux/wire';
import { DEFAULT_LIMITS } from '../../base/limits.js';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { ManualChannel } from '../../testing/manual-channel.js';
import { RecordingLogger } from '../../testing/recording-logger.js';
import { Connection } from './connection.js';

/** A connection whose owner keeps the lines that it is told of. */
function keeping() {
  const kept: Buffer[] = [];
  const connection = new Connection(
    new ManualChannel(),
    {
      inbox: { notification: (line) => kept.push(line), request: (line) => kept.push(line) },
      ended: () => undefined,
    },
    { clock: new ManualClock(), logger: new RecordingLogger(), limits: DEFAULT_LIMITS, server: 's' },
  );
  connection.open();
  return { connection, kept };
}

/** Gives a line to the connection as a pipe does, and reads the next one over it. */
function lend(connection: Connection, text: string): void {
  const memory = smallReadBuffer();
  memory.write(text);
  connection.line(memory.subarray(0, text.length));
  memory.fill('#', 0, text.length);
}

describe('a line that is only lent', () => {
  it.each([
    ['a notification', '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'],
    ['a request', '{"jsonrpc":"2.0","id":1,"method":"roots/list"}'],
  ])('may be kept by whoever is told of %s', (_, text) => {
    const { connection, kept } = keeping();
    lend(connection, text);
    expect(kept.map((line) => line.toString())).toEqual([text]);
  });

  it('may be kept by whoever has sent a request of mcpmux itself', async () => {
    const { connection } = keeping();
    const result = connection.request('tools/list', {}, 1000);
    lend(connection, '{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}');
    expect((await result).line.toString()).toBe('{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}');
  });
});
