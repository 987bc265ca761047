import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '@mcpmux/kit';

import { ManualChannel } from '../../testing/manual-channel.js';
import { SessionsRig } from '../../testing/sessions-rig.js';

const LOG =
  '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"a","data":"x"}}';
const ROUNDS = 5;

/** A server, and a client that does not read any more. */
function slowRig() {
  const rig = new SessionsRig();
  const server = rig.server('s', { tools: ['get'] });
  const channel = new ManualChannel();
  const session = rig.slowClient(channel);
  channel.saturate(500);
  /** The server sends a few log messages, one after the other. */
  const logs = async (): Promise<void> => {
    for (let round = 0; round < ROUNDS; round += 1) await server.exchange(LOG);
  };
  return { rig, server, channel, session, logs };
}

describe('a client that does not read, and has no call in flight', () => {
  it('C5: does not keep the notifications of its servers from other clients', async () => {
    const { rig, logs } = slowRig();
    const quick = await rig.client();
    await logs();
    expect(quick.take()).toHaveLength(ROUNDS);
  });

  it('C5: makes its servers wait when it is the only client', async () => {
    const { channel, logs } = slowRig();
    const before = channel.sent.length;
    await logs();
    expect(channel.sent.length - before).toBe(1);
    channel.drain();
    await logs();
    expect(channel.sent.length - before).toBe(2 * ROUNDS);
  });

  it('C5: is dropped above its limit when there are others', async () => {
    const { rig, server, channel } = slowRig();
    const quick = await rig.client();
    channel.saturate(DEFAULT_LIMITS.maxClientQueueBytes + 1);
    await server.exchange(LOG);
    expect(channel.isDestroyed).toBe(true);
    await server.exchange(LOG);
    expect(quick.take()).toHaveLength(2);
  });
});
