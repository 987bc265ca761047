import {
  InMemoryTransport as InMemoryTransportV2,
  type SSEClientTransport,
  type StreamableHTTPClientTransport,
  type Transport as TransportV2,
} from '@modelcontextprotocol/client';
import type { StdioClientTransport as StdioClientTransportV2 } from '@modelcontextprotocol/client/stdio';
import type { StdioClientTransport as StdioClientTransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { InMemoryTransport as InMemoryTransportV1 } from '@modelcontextprotocol/sdk/inMemory.js';
import type { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport as TransportV1 } from '@modelcontextprotocol/sdk/shared/transport.js';
import { describe, expect, expectTypeOf, it } from 'vitest';

import { ChannelRecorder } from '@mcpmux/testing/channel-recorder';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { TransportChannel, type SdkTransport } from './transport-channel.js';

const line = (n: number) => Buffer.from(`{"jsonrpc":"2.0","method":"n","params":{"n":${n}}}\n`);
const text = (n: number) => `{"jsonrpc":"2.0","method":"n","params":{"n":${n}}}`;

/** A transport of which the test decides how everything goes. */
class FakeTransport implements SdkTransport {
  onmessage?: (message: never) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly sent: unknown[] = [];
  closed = 0;

  constructor(private readonly steps: Partial<Pick<SdkTransport, 'start' | 'send' | 'close'>> = {}) {}

  async start(): Promise<void> {
    await this.steps.start?.();
  }

  async send(message: never): Promise<void> {
    this.sent.push(message);
    await this.steps.send?.(message);
  }

  async close(): Promise<void> {
    this.closed += 1;
    await this.steps.close?.();
  }

  receive(message: unknown): void {
    this.onmessage?.(message as never);
  }
}

const LIMITS = { highWatermarkBytes: 100, maxHeldBytes: 1000 };

function opened(transport: SdkTransport): { channel: TransportChannel; recorder: ChannelRecorder } {
  const channel = new TransportChannel(transport, LIMITS);
  const recorder = new ChannelRecorder();
  channel.open(recorder);
  return { channel, recorder };
}

describe('SdkTransport', () => {
  it('is what the transports of both SDKs are', () => {
    expectTypeOf<TransportV1>().toExtend<SdkTransport>();
    expectTypeOf<InMemoryTransportV1>().toExtend<SdkTransport>();
    expectTypeOf<StdioServerTransport>().toExtend<SdkTransport>();
    expectTypeOf<StdioClientTransportV1>().toExtend<SdkTransport>();
    expectTypeOf<StreamableHTTPServerTransport>().toExtend<SdkTransport>();
    expectTypeOf<TransportV2>().toExtend<SdkTransport>();
    expectTypeOf<InMemoryTransportV2>().toExtend<SdkTransport>();
    expectTypeOf<StdioClientTransportV2>().toExtend<SdkTransport>();
    expectTypeOf<StreamableHTTPClientTransport>().toExtend<SdkTransport>();
    expectTypeOf<SSEClientTransport>().toExtend<SdkTransport>();
    expectTypeOf<{ start(): Promise<void>; close(): Promise<void> }>().not.toExtend<SdkTransport>();
  });
});

describe.each([
  ['v1', () => InMemoryTransportV1.createLinkedPair()],
  ['v2', () => InMemoryTransportV2.createLinkedPair()],
])('a TransportChannel whose peer uses SDK %s', (_, createLinkedPair) => {
  it('gives the peer messages, and its messages as lines, in order', async () => {
    const [transport, peer] = createLinkedPair();
    const received: unknown[] = [];
    peer.onmessage = (message: unknown) => received.push(message);
    await peer.start();
    const { channel, recorder } = opened(transport);
    for (let n = 0; n < 100; n += 1) {
      channel.send(line(n));
      await peer.send({ jsonrpc: '2.0', method: 'n', params: { n } });
    }
    await channel.end();
    expect(received).toEqual(Array.from({ length: 100 }, (__, n) => JSON.parse(text(n)) as unknown));
    expect(recorder.lines).toEqual(Array.from({ length: 100 }, (__, n) => text(n)));
    expect(recorder.channelEnds).toEqual([{ reason: 'closed' }]);
  });

  it('keeps the fields of a message that nobody knows', async () => {
    const [transport, peer] = createLinkedPair();
    const { channel, recorder } = opened(transport);
    const message = {
      jsonrpc: '2.0' as const,
      method: 'x',
      params: { _meta: { 'a/b': 1 }, z: [null, 'é'] },
      extra: 1,
    };
    await peer.send(message);
    expect(recorder.lines).toEqual([JSON.stringify(message)]);
    await channel.end();
  });

  it('tells its owner when the peer closes', async () => {
    const [transport, peer] = createLinkedPair();
    const { recorder } = opened(transport);
    await peer.close();
    expect(recorder.channelEnds).toEqual([{ reason: 'closed' }]);
  });

  it('fails when it sends to a peer that has closed', async () => {
    const [transport] = createLinkedPair();
    const { channel, recorder } = opened(transport);
    await transport.close();
    channel.send(line(1));
    await channel.end();
    expect(recorder.channelEnds).toEqual([{ reason: 'closed' }]);
  });
});

describe('a TransportChannel', () => {
  it('sends one message after another, however long each takes', async () => {
    const releases: (() => void)[] = [];
    const transport = new FakeTransport({ send: () => new Promise((resolve) => releases.push(resolve)) });
    const { channel } = opened(transport);
    channel.send(line(1));
    channel.send(line(2));
    await nextTurn();
    expect(transport.sent).toHaveLength(1);
    expect(channel.queuedBytes).toBe(2 * line(1).length);
    releases[0]?.();
    await nextTurn();
    expect(transport.sent).toHaveLength(2);
    expect(channel.queuedBytes).toBe(line(1).length);
    releases[1]?.();
    await channel.end();
    expect(channel.queuedBytes).toBe(0);
  });

  it('fails once when a message cannot be sent, and sends none of those behind it', async () => {
    const transport = new FakeTransport({ send: () => Promise.reject(new Error('no connection')) });
    const { channel, recorder } = opened(transport);
    channel.send(line(1));
    channel.send(line(2));
    await recorder.waitUntilEnded();
    channel.send(line(3));
    await nextTurn();
    transport.onclose?.();
    expect(recorder.events).toEqual(['failed']);
    expect(recorder.channelEnds[0]?.error?.message).toBe('no connection');
    expect(transport.sent).toHaveLength(1);
    expect(channel.queuedBytes).toBe(0);
  });

  it('fails when it cannot start', async () => {
    const cause: unknown = 'not an error';
    const transport = new FakeTransport({ start: () => Promise.reject(cause) });
    const { recorder } = opened(transport);
    await recorder.waitUntilEnded();
    expect(recorder.channelEnds).toEqual([{ reason: 'failed', error: new Error('not an error') }]);
  });

  it('goes on after an error that the transport only reports', async () => {
    const transport = new FakeTransport();
    const { recorder } = opened(transport);
    transport.onerror?.(new Error('a line that is no JSON'));
    transport.receive({ n: 1 });
    await nextTurn();
    expect(recorder.events).toEqual(['line {"n":1}']);
  });

  it('holds what arrives while it is paused, and its end too', () => {
    const transport = new FakeTransport();
    const { channel, recorder } = opened(transport);
    channel.pause();
    transport.receive(1);
    transport.receive(2);
    transport.onclose?.();
    transport.receive(3);
    expect(recorder.events).toEqual([]);
    channel.resume();
    channel.resume();
    expect(recorder.events).toEqual(['line 1', 'line 2', 'closed']);
  });

  it('ends as failed when more arrives while it is paused than it may hold, and gives up what it holds', () => {
    const transport = new FakeTransport();
    const { channel, recorder } = opened(transport);
    channel.pause();
    transport.receive('x'.repeat(LIMITS.maxHeldBytes - 2));
    expect(recorder.events).toEqual([]);
    transport.receive(1);
    expect(recorder.events).toEqual(['failed']);
    expect(recorder.channelEnds[0]?.error?.message).toContain('more than 1000 bytes');
    transport.receive(2);
    channel.resume();
    expect(recorder.events).toEqual(['failed']);
  });

  it('may hold as much again after it has delivered what it held', () => {
    const transport = new FakeTransport();
    const { channel, recorder } = opened(transport);
    for (const round of [1, 2]) {
      channel.pause();
      transport.receive('x'.repeat(LIMITS.maxHeldBytes - 2));
      channel.resume();
      expect(recorder.lines).toHaveLength(round);
    }
    expect(recorder.channelEnds).toEqual([]);
  });

  it('tells the first reason of its end, also when it had to wait', async () => {
    const transport = new FakeTransport({ send: () => Promise.reject(new Error('no connection')) });
    const { channel, recorder } = opened(transport);
    channel.pause();
    transport.receive(1);
    channel.send(line(1));
    await nextTurn();
    transport.onclose?.();
    channel.resume();
    expect(recorder.events).toEqual(['line 1', 'failed']);
  });

  it('keeps the order when messages arrive while the held ones are delivered', () => {
    const transport = new FakeTransport();
    const channel = new TransportChannel(transport, LIMITS);
    const recorder = new ChannelRecorder();
    const receive = recorder.line.bind(recorder);
    recorder.line = (received) => {
      receive(received);
      if (recorder.lines.length === 1) transport.receive('answer');
      if (recorder.lines.length === 2) channel.pause();
    };
    channel.open(recorder);
    channel.pause();
    for (const n of [1, 2, 3]) transport.receive(n);
    channel.resume();
    expect(recorder.lines).toEqual(['1', '2']);
    channel.resume();
    expect(recorder.lines).toEqual(['1', '2', '3', '"answer"']);
  });

  it('is saturated above its watermark until the transport has taken everything, and says so once', async () => {
    let take: () => void = () => undefined;
    const taken = new Promise<void>((resolve) => {
      take = resolve;
    });
    const { channel, recorder } = opened(new FakeTransport({ send: () => taken }));
    channel.send(line(1));
    expect(channel.saturated).toBe(false);
    channel.send(Buffer.from(`"${'x'.repeat(200)}"\n`));
    channel.send(line(2));
    expect(channel.saturated).toBe(true);
    take();
    await channel.end();
    expect(channel.saturated).toBe(false);
    expect(recorder.events.filter((event) => event === 'drained')).toEqual(['drained']);
  });

  it('closes its transport once, however it ends', async () => {
    const transport = new FakeTransport();
    const { channel, recorder } = opened(transport);
    await Promise.all([channel.end(), channel.end()]);
    transport.onclose?.();
    channel.destroy();
    channel.destroy();
    await channel.end();
    expect(transport.closed).toBe(1);
    expect(recorder.events).toEqual(['closed']);
  });

  it('ends in order when its transport cannot be closed', async () => {
    const transport = new FakeTransport({ close: () => Promise.reject(new Error('already gone')) });
    const { channel, recorder } = opened(transport);
    await expect(channel.end()).resolves.toBeUndefined();
    channel.destroy();
    await nextTurn();
    expect(recorder.events).toEqual(['closed']);
  });

  it('loses what is queued when it is destroyed', async () => {
    const transport = new FakeTransport();
    const { channel, recorder } = opened(transport);
    channel.send(line(1));
    channel.destroy();
    transport.receive(1);
    await nextTurn();
    expect(transport.sent).toEqual([]);
    expect(recorder.events).toEqual(['closed']);
    expect(channel.queuedBytes).toBe(0);
  });
});
