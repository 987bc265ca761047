import { PassThrough } from 'node:stream';

import { InMemoryTransport as InMemoryTransportV2 } from '@modelcontextprotocol/client';
import { InMemoryTransport as InMemoryTransportV1 } from '@modelcontextprotocol/sdk/inMemory.js';

import { memoryChannels } from '../channel/memory-channels.js';
import type { Channel } from '../channel/channel.js';
import { TransportChannel } from '../channel/transport-channel.js';
import { StreamChannel, type StreamChannelLimits, type StreamPair } from '../channel/stream-channel.js';
import { openPipePair, openSocketPair, type SocketPair } from '@mcpmux/testing/socket-pair';

/** Two channels, each the other's peer. Disposing of them closes both. */
export interface ConnectedChannels extends AsyncDisposable {
  readonly near: Channel;
  readonly far: Channel;
}

/** Sizes no test comes near to. */
export const WIDE_LIMITS: StreamChannelLimits = { maxLineBytes: 1e9, highWatermarkBytes: 1e9 };

/** Every implementation of Channel, by what its lines travel over. */
export const CHANNEL_KINDS: readonly (readonly [string, () => Promise<ConnectedChannels>])[] = [
  ['streams', () => Promise.resolve(overStreams())],
  ['sockets', () => overSockets(openSocketPair())],
  ['pipes', () => overSockets(openPipePair())],
  ['memory', () => Promise.resolve(connected(...memoryChannels()))],
  ['the transport of SDK v1', () => Promise.resolve(overTransports(InMemoryTransportV1.createLinkedPair()))],
  ['the transport of SDK v2', () => Promise.resolve(overTransports(InMemoryTransportV2.createLinkedPair()))],
];

/** Both ends of two streams in memory, one for each direction. */
export function streamPairs(): readonly [StreamPair, StreamPair] {
  const there = new PassThrough();
  const back = new PassThrough();
  return [
    { input: back, output: there },
    { input: there, output: back },
  ];
}

function overStreams(): ConnectedChannels {
  const [near, far] = streamPairs();
  return connected(new StreamChannel(near, WIDE_LIMITS), new StreamChannel(far, WIDE_LIMITS));
}

async function overSockets(pair: Promise<SocketPair>): Promise<ConnectedChannels> {
  const sockets = await pair;
  const near = new StreamChannel({ input: sockets.clientEnd, output: sockets.clientEnd }, WIDE_LIMITS);
  const far = new StreamChannel({ input: sockets.serverEnd, output: sockets.serverEnd }, WIDE_LIMITS);
  return { near, far, [Symbol.asyncDispose]: () => sockets[Symbol.asyncDispose]() };
}

function overTransports(
  pair: readonly [InMemoryTransportV1 | InMemoryTransportV2, InMemoryTransportV1 | InMemoryTransportV2],
): ConnectedChannels {
  const limits = { ...WIDE_LIMITS, maxHeldBytes: 1e9 };
  return connected(new TransportChannel(pair[0], limits), new TransportChannel(pair[1], limits));
}

function connected(near: Channel, far: Channel): ConnectedChannels {
  return {
    near,
    far,
    [Symbol.asyncDispose]() {
      near.destroy();
      far.destroy();
      return Promise.resolve();
    },
  };
}
