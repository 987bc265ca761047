import { describe, expect, it } from 'vitest';

import { ManualChannel } from '../../testing/manual-channel.js';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { runningServer, type RunningServer } from '../../testing/running-server.js';
import { SessionRig } from '../../testing/session-rig.js';

const LIMIT = 1000;
const call = (id: number, server: string): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${server}__get","_meta":{"progressToken":1}}}`;

/** A client that reads only when the test says so. */
class SlowClient {
  readonly channel = new ManualChannel();
  readonly rig: SessionRig;

  constructor(...servers: readonly RunningServer[]) {
    this.rig = new SessionRig(
      servers.map(({ upstream }) => upstream),
      { channel: this.channel, limits: { maxClientQueueBytes: LIMIT } },
    );
  }

  async calls(id: number, server: string): Promise<void> {
    this.channel.receive(call(id, server));
    await nextTurn();
  }
}

/** Sends a progress notification for call `id` of the server. */
async function progress({ server }: RunningServer, id: number): Promise<void> {
  server.send(
    `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${id},"progress":1}}`,
  );
  await nextTurn();
}

describe('a client that does not read', () => {
  it('C5: makes its server wait, and the server goes on once the client has read', async () => {
    const server = runningServer('a', ['get']);
    const client = new SlowClient(server);
    await client.calls(1, 'a');
    client.channel.saturate(500);
    await progress(server, 1);
    expect(client.channel.sent.length).toBe(1);
    await progress(server, 1);
    await progress(server, 1);
    expect(client.channel.sent.length).toBe(1);
    client.channel.drain();
    await nextTurn();
    expect(client.channel.sent.length).toBe(3);
  });

  it('makes a server wait that has sent it a response, too', async () => {
    const server = runningServer('a', ['get']);
    const client = new SlowClient(server);
    await client.calls(1, 'a');
    client.channel.saturate(500);
    server.server.answer(1, '0');
    await nextTurn();
    server.server.send('{"jsonrpc":"2.0","id":"x","method":"ping"}');
    await nextTurn();
    expect(server.server.received.length).toBe(1);
    client.channel.drain();
    await nextTurn();
    expect(server.server.received.slice(1)).toEqual(['{"jsonrpc":"2.0","id":"x","result":{}}']);
  });

  it('C5: does not make the servers of another client wait', async () => {
    const [one, two] = [runningServer('one', ['get']), runningServer('two', ['get'])];
    const [slow, quick] = [new SlowClient(one), new SlowClient(two)];
    await slow.calls(1, 'one');
    await quick.calls(1, 'two');
    slow.channel.saturate(500);
    await progress(one, 1);
    for (let round = 0; round < 5; round += 1) await progress(two, 1);
    expect(quick.channel.sent.length).toBe(5);
  });

  it('C5: does not make another client of the same server wait', async () => {
    const server = runningServer('a', ['get']);
    const [slow, quick] = [new SlowClient(server), new SlowClient(server)];
    await slow.calls(1, 'a');
    await quick.calls(1, 'a');
    slow.channel.saturate(500);
    await progress(server, 1);
    for (let round = 0; round < 5; round += 1) await progress(server, 2);
    expect(quick.channel.sent.length).toBe(5);
  });

  it('does not make a client wait that comes to its server later', async () => {
    const server = runningServer('a', ['get']);
    const [slow, quick] = [new SlowClient(server), new SlowClient(server)];
    await slow.calls(1, 'a');
    slow.channel.saturate(500);
    await progress(server, 1);
    await quick.calls(1, 'a');
    await progress(server, 2);
    expect(quick.channel.sent.length).toBe(1);
  });

  it('does not keep its servers waiting after it has gone', async () => {
    const server = runningServer('a', ['get']);
    const [slow, quick] = [new SlowClient(server), new SlowClient(server)];
    await quick.calls(1, 'a');
    await slow.calls(1, 'a');
    slow.channel.saturate(500);
    server.server.answer(1, '0');
    await progress(server, 2);
    slow.rig.session.close();
    server.server.send('{"jsonrpc":"2.0","id":"x","method":"ping"}');
    await nextTurn();
    expect(server.server.received.at(-1)).toBe('{"jsonrpc":"2.0","id":"x","result":{}}');
  });

  it('C5: is dropped above its limit when it shares its server, and its calls are cancelled', async () => {
    const server = runningServer('a', ['get']);
    const [slow, quick] = [new SlowClient(server), new SlowClient(server)];
    await quick.calls(1, 'a');
    await slow.calls(1, 'a');
    slow.channel.saturate(LIMIT);
    await progress(server, 2);
    expect(slow.channel.isDestroyed).toBe(false);
    slow.channel.saturate(LIMIT + 1);
    await progress(server, 2);
    expect(slow.channel.isDestroyed).toBe(true);
    await slow.rig.session.whenClosed;
    expect(slow.rig.logger.records).toContainEqual({
      level: 'warn',
      message: 'dropped a client that does not read',
      fields: { queuedBytes: LIMIT + 1 },
    });
    expect(server.server.received.at(-1)).toContain('"method":"notifications/cancelled"');
    server.server.answer(1, '0');
    await nextTurn();
    expect(quick.channel.sent).toEqual(['{"jsonrpc":"2.0","id":1,"result":0}']);
  });

  it('and goes on asking is not read any more, until it has caught up', async () => {
    const client = new SlowClient();
    client.channel.saturate(LIMIT + 1);
    client.channel.receive('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    await nextTurn();
    expect(client.channel.isPaused).toBe(true);
    client.channel.drain();
    await nextTurn();
    expect(client.channel.isPaused).toBe(false);
  });
});
