import { describe, expect, it } from 'vitest';

import { isSettled } from '@mcpmux/testing/is-settled';
import { ManualChannel } from '../../testing/manual-channel.js';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { runningServer, type RunningServer } from '../../testing/running-server.js';
import { SessionRig } from '../../testing/session-rig.js';

const DRAIN_MS = 500;
const FLUSH_MS = 500;
const call = (id: number): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"a__get"}}`;
const shutDownAnswer = (id: number): string =>
  `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text",` +
  `"text":"mcpmux is shutting down; server \\"a\\" did not answer in time."}],"isError":true}}`;

interface EndRig extends RunningServer {
  readonly rig: SessionRig;
  readonly channel: ManualChannel;
}

/** A session with two calls in flight. */
async function twoInFlight(): Promise<EndRig> {
  const server = runningServer('a', ['get']);
  const channel = new ManualChannel();
  const rig = new SessionRig([server.upstream], { channel, limits: { drainOnEndMs: DRAIN_MS } });
  channel.receive(call(1));
  channel.receive(call(2));
  await nextTurn();
  return { ...server, rig, channel };
}

describe('a client that has closed its side', () => {
  it('C13: is still answered, and the session ends as soon as all is answered and sent', async () => {
    const { rig, channel, server } = await twoInFlight();
    channel.endBy('ended');
    server.answer(1, '"one"');
    await nextTurn();
    expect(channel.isEnding).toBe(false);
    server.answer(2, '"two"');
    await nextTurn();
    expect(channel.sent).toEqual([
      '{"jsonrpc":"2.0","id":1,"result":"one"}',
      '{"jsonrpc":"2.0","id":2,"result":"two"}',
    ]);
    expect(channel.isEnding).toBe(true);
    expect(channel.isDestroyed).toBe(false);
    channel.flush();
    await rig.session.whenClosed;
    expect(channel.isDestroyed).toBe(true);
  });

  it('is told after the drain time that the rest will not be answered, and the server is told too', async () => {
    const { channel, rig, server } = await twoInFlight();
    channel.endBy('ended');
    server.answer(1, '"one"');
    await nextTurn();
    rig.clock.advance(DRAIN_MS - 1);
    await nextTurn();
    expect(channel.sent.length).toBe(1);
    rig.clock.advance(1);
    await nextTurn();
    expect(channel.sent).toEqual(['{"jsonrpc":"2.0","id":1,"result":"one"}', shutDownAnswer(2)]);
    expect(server.received.at(-1)).toBe(
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"the client has gone"}}',
    );
    channel.flush();
    await rig.session.whenClosed;
  });

  it('ends at once when nothing is in flight', async () => {
    const channel = new ManualChannel();
    const rig = new SessionRig([], { channel });
    channel.endBy('ended');
    await nextTurn();
    channel.flush();
    await rig.session.whenClosed;
    expect(channel.sent).toEqual([]);
    expect(rig.clock.timerCount).toBe(0);
  });

  it('and does not read does not keep the session open', async () => {
    const { channel, rig } = await twoInFlight();
    channel.endBy('ended');
    rig.clock.advance(DRAIN_MS);
    await nextTurn();
    expect(channel.isEnding).toBe(true);
    rig.clock.advance(FLUSH_MS - 1);
    await nextTurn();
    expect(channel.isDestroyed).toBe(false);
    rig.clock.advance(1);
    await rig.session.whenClosed;
    expect(channel.isDestroyed).toBe(true);
  });

  it('and reads slowly gets its last answers whole', async () => {
    const { channel, rig } = await twoInFlight();
    channel.endBy('ended');
    rig.clock.advance(DRAIN_MS);
    await nextTurn();
    for (let taken = 1; taken <= 10; taken += 1) {
      channel.progress = taken;
      rig.clock.advance(FLUSH_MS);
      await nextTurn();
      expect(channel.isDestroyed).toBe(false);
    }
    channel.flush();
    await rig.session.whenClosed;
  });

  it('and reads next to nothing at a time is given up after half a minute', async () => {
    const { channel, rig } = await twoInFlight();
    channel.endBy('ended');
    rig.clock.advance(DRAIN_MS);
    for (let looks = 0; looks < 60; looks += 1) {
      await nextTurn();
      expect(channel.isDestroyed).toBe(false);
      channel.progress += 1;
      rig.clock.advance(FLUSH_MS);
    }
    await rig.session.whenClosed;
    expect(channel.isDestroyed).toBe(true);
  });

  it('gets no answer that comes too late', async () => {
    const { channel, rig, server } = await twoInFlight();
    channel.endBy('ended');
    rig.clock.advance(DRAIN_MS);
    await nextTurn();
    server.answer(1, '"late"');
    await nextTurn();
    expect(channel.sent).toEqual([shutDownAnswer(1), shutDownAnswer(2)]);
    channel.flush();
    await rig.session.whenClosed;
  });
});

describe('a client that has gone', () => {
  it.each(['failed', 'closed'] as const)(
    'ends the session at once, and its calls are cancelled: %s',
    async (reason) => {
      const { channel, rig, server } = await twoInFlight();
      channel.endBy(reason);
      await rig.session.whenClosed;
      await nextTurn();
      expect(channel.isDestroyed).toBe(true);
      expect(channel.sent).toEqual([]);
      expect(server.received.slice(2)).toEqual(
        [1, 2].map(
          (id) =>
            `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id},"reason":"the client has gone"}}`,
        ),
      );
      server.answer(1, '"late"');
      await nextTurn();
      expect(channel.sent).toEqual([]);
    },
  );

  it('after it had closed its side ends the session at once', async () => {
    const { channel, rig } = await twoInFlight();
    channel.endBy('ended');
    rig.session.close();
    await rig.session.whenClosed;
    rig.clock.advance(DRAIN_MS);
    await nextTurn();
    expect(channel.sent).toEqual([]);
  });
});

describe('the end of a session', () => {
  it('ordered by the host answers what is in flight', async () => {
    const { channel, rig } = await twoInFlight();
    const finished = rig.session.finish(0);
    rig.clock.advance(0);
    await nextTurn();
    expect(channel.sent).toEqual([shutDownAnswer(1), shutDownAnswer(2)]);
    channel.flush();
    await finished;
    await rig.session.whenClosed;
  });

  it('happens once, however often it is ordered', async () => {
    const { channel, rig } = await twoInFlight();
    const finished = Promise.all([rig.session.finish(0), rig.session.finish(0)]);
    rig.clock.advance(0);
    await nextTurn();
    rig.session.close();
    rig.session.close();
    rig.clock.advance(FLUSH_MS);
    await finished;
    expect(channel.sent).toEqual([shutDownAnswer(1), shutDownAnswer(2)]);
  });

  it('is not told before everything was sent', async () => {
    const { channel, rig, server } = await twoInFlight();
    channel.endBy('ended');
    server.answer(1, '1');
    server.answer(2, '2');
    await nextTurn();
    expect(await isSettled(rig.session.whenClosed)).toBe(false);
    channel.flush();
    await nextTurn();
    expect(await isSettled(rig.session.whenClosed)).toBe(true);
  });

  it('leaves no timer behind', async () => {
    const { channel, rig } = await twoInFlight();
    channel.endBy('ended');
    rig.clock.advance(DRAIN_MS);
    await nextTurn();
    channel.flush();
    await rig.session.whenClosed;
    expect(rig.clock.timerCount).toBe(0);
  });
});

describe('a session that is sending its last answers', () => {
  it('D1: reads nothing more, so that no request is taken on which nobody would answer', async () => {
    const { rig, channel } = await twoInFlight();
    const finished = rig.session.finish(0);
    rig.clock.advance(0);
    await nextTurn();
    expect(channel.sent).toHaveLength(2);
    expect(channel.isPaused).toBe(true);
    channel.drain();
    expect(channel.isPaused).toBe(true);
    channel.flush();
    await finished;
  });
});
