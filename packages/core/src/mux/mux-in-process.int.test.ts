import { InMemoryTransport as InMemoryTransportV2 } from '@modelcontextprotocol/client';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { InMemoryTransport as InMemoryTransportV1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as McpServerV2 } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';

import type { TransportConfig } from '../server/config/server-config.js';
import { createMux } from './mux.js';

const ANSWER = { content: [{ type: 'text' as const, text: 'from within' }] };

async function transportV1() {
  const server = new McpServerV1({ name: 'own', version: '1' });
  server.registerTool('where', {}, () => ANSWER);
  const [near, far] = InMemoryTransportV1.createLinkedPair();
  await server.connect(far);
  return near;
}

async function transportV2() {
  const server = new McpServerV2({ name: 'own', version: '1' });
  server.registerTool('where', {}, () => ANSWER);
  const [near, far] = InMemoryTransportV2.createLinkedPair();
  await server.connect(far);
  return near;
}

it.each<[string, () => ReturnType<typeof transportV1> | ReturnType<typeof transportV2>]>([
  ['SDK v1', transportV1],
  ['SDK v2', transportV2],
])('a server in the process of the host is called, reloaded and removed: %s', async (_, transport) => {
  await using mux = createMux();
  const { tools, status, url } = await mux.addServer('own', { transport });
  expect({ tools, status, url }).toEqual({ tools: ['own__where'], status: 'running', url: 'in-process:own' });
  await expect(mux.callTool('own__where')).resolves.toMatchObject(ANSWER);
  await mux.reloadServer('own');
  await expect(mux.callTool('own__where')).resolves.toMatchObject(ANSWER);
  await mux.removeServer('own');
  await expect(mux.callTool('own__where')).rejects.toThrow('Unknown tool');
});

it('a transport without a function serves one run, and a reload says so', async () => {
  await using mux = createMux();
  const transport = await transportV1();
  await mux.addServer('own', { transport });
  await expect(mux.callTool('own__where')).resolves.toMatchObject(ANSWER);
  await expect(mux.reloadServer('own')).rejects.toThrow('Pass addServer a function');
});

it('a server whose transport closes has crashed, and starts again by its restart policy', async () => {
  await using mux = createMux();
  const made: Awaited<ReturnType<typeof transportV1>>[] = [];
  const transport = async (): Promise<(typeof made)[number]> => {
    const one = await transportV1();
    made.push(one);
    return one;
  };
  await mux.addServer('own', { transport, restart: 'always' });
  const again = new Promise<void>((resolve) => {
    mux.on('server:state', ({ status }) => void (status === 'running' && resolve()));
  });
  await made[0]?.close();
  await again;
  await expect(mux.callTool('own__where')).resolves.toMatchObject(ANSWER);
  expect(made).toHaveLength(2);
});

it.each<[string, unknown, string]>([
  ['throws', () => Promise.reject(new Error('no database')), 'no database'],
  ['makes nothing', () => undefined, 'no start, send and close'],
  ['is no transport', { close: () => undefined }, 'no start, send and close'],
])('a function that %s is told in the failure of the server', async (_, transport, problem) => {
  await using mux = createMux();
  const config = { transport } as TransportConfig;
  await expect(mux.addServer('own', config)).rejects.toMatchObject({ code: 'START_FAILED' });
  await expect(mux.addServer('own', config, { keepsFailed: true })).rejects.toThrow(problem);
  expect(mux.listServers()).toMatchObject([{ name: 'own', status: 'crashed' }]);
});
