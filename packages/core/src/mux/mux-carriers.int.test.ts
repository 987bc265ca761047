import { Duplex } from 'node:stream';
import { MessageChannel, type MessagePort } from 'node:worker_threads';

import { Client } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';

import type { SdkTransport } from '@mcpmux/wire';
import { createMux } from '../index.js';

/** A carrier beside stdio and HTTP: one message for each post to a port. This is all that mcpmux needs to know of it. */
function overPort(port: MessagePort): SdkTransport {
  const transport: SdkTransport = {
    start() {
      port.on('message', (message: object) => transport.onmessage?.(message as never));
      port.on('close', () => transport.onclose?.());
      return Promise.resolve();
    },
    send: (message) => Promise.resolve(port.postMessage(message)),
    close: () => Promise.resolve(port.close()),
  };
  return transport;
}

/** Another carrier: bytes in blocks of any size. */
function overFrames(port: MessagePort): Duplex {
  const stream = new Duplex({
    read: () => undefined,
    write: (bytes: Buffer, _, written) => {
      port.postMessage(Uint8Array.from(bytes));
      written();
    },
    final: (ended) => {
      port.close();
      ended();
    },
  });
  port.on('message', (bytes: Uint8Array) => stream.push(bytes));
  port.on('close', () => stream.push(null));
  return stream;
}

function server(): McpServer {
  const made = new McpServer({ name: 'far', version: '1' });
  made.registerTool('where', {}, () => ({ content: [{ type: 'text', text: 'over a port' }] }));
  return made;
}

it.each(['legacy', { pin: '2026-07-28' }] as const)(
  'a client and a server over a third carrier are served in the era %j',
  async (mode) => {
    await using mux = createMux();
    await mux.addServer('far', {
      transport: async () => {
        const { port1, port2 } = new MessageChannel();
        await server().connect(overPort(port2) as never);
        return overPort(port1);
      },
    });
    const { port1, port2 } = new MessageChannel();
    const session = mux.connect(overPort(port1));
    const client = new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(overPort(port2) as never);
    expect(await client.callTool({ name: 'far__where' })).toMatchObject({
      content: [{ text: 'over a port' }],
    });
    await client.close();
    await session.closed;
  },
);

it('a carrier of bytes is given as streams', async () => {
  await using inner = createMux();
  await inner.addServer('far', {
    transport: async () => {
      const { port1, port2 } = new MessageChannel();
      await server().connect(overPort(port2) as never);
      return overPort(port1);
    },
  });
  await using mux = createMux();
  await mux.addServer('inner', {
    address: 'port:inner',
    advice: 'Start it again.',
    open: () => {
      const { port1, port2 } = new MessageChannel();
      const [near, far] = [overFrames(port1), overFrames(port2)];
      inner.connect({ input: far, output: far });
      return Promise.resolve({ input: near, output: near });
    },
  });
  expect(await mux.callTool('inner__far__where')).toMatchObject({ content: [{ text: 'over a port' }] });
});
