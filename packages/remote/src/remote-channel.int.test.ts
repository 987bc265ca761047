import { NO_MASK, systemClock } from '@mcpmux/kit';
import { RemoteServer } from '@mcpmux/test-servers/remote-server';
import { expect, it, vi } from 'vitest';

import { RemoteChannel } from './remote-channel.js';
import { remoteEndpoint } from './remote-endpoint.js';

const INITIALIZE = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
};

it.each(['http', 'sse'] as const)(
  'a channel over %s keeps nothing of requests that were answered',
  async (transport) => {
    await using server = await RemoteServer.open({ transport });
    const lines: string[] = [];
    const channel = new RemoteChannel({
      endpoint: remoteEndpoint(server.url, {}, transport),
      opening: { request: 'initialize', notification: 'notifications/initialized' },
      createTokens: () => undefined,
      clock: systemClock,
      mask: NO_MASK,
      maxMessageBytes: 1_000_000,
      highWatermarkBytes: 1_000_000,
      isAwaited: (id) => !lines.some((line) => line.includes(`"id":${id}`)),
      doubted: () => Promise.resolve(false),
      undelivered: (id, error) => lines.push(`${id}: ${error.problem}`),
      trouble: () => undefined,
    });
    channel.open({
      line: (line) => lines.push(line.toString()),
      oversized: () => undefined,
      ended: () => undefined,
      drained: () => undefined,
    });
    const ask = async (id: number, method: string, params: object): Promise<void> => {
      channel.send(Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`));
      await vi.waitUntil(() => lines.length === id, { timeout: 10_000, interval: 1 });
    };
    await ask(1, 'initialize', INITIALIZE);
    channel.send(Buffer.from('{"jsonrpc":"2.0","method":"notifications/initialized"}\n'));
    await ask(2, 'ping', {});
    await ask(3, 'tools/list', {});
    await vi.waitUntil(() => channel.openRequests === 0, { timeout: 10_000, interval: 1 });
    await channel.close(0);
    expect(lines.filter((line) => !line.includes('"result"'))).toEqual([]);
  },
);
