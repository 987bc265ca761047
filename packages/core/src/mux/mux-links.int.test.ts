import { Duplex, PassThrough } from 'node:stream';

import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { forEachLine } from '@mcpmux/testing/each-line';
import { MuxClient } from '../testing/mux-client.js';
import { createMux } from './mux.js';
import type { Mux } from './mux-api.js';

const OPERATIONS = ['add_server', 'remove_server', 'reload_server'] as const;
const MANAGER = { id: 'ann', roles: [], rights: ['manage'] };

function params(name: (typeof OPERATIONS)[number]): { name: string; arguments: Record<string, unknown> } {
  const added = name === 'add_server' ? { name: 'more', ...fixtureCommand('echo') } : { name: 'e' };
  return { name, arguments: added };
}

async function withEcho(): Promise<Mux> {
  const mux = createMux();
  await mux.addServer('e', fixtureCommand('echo'));
  return mux;
}

it.each(OPERATIONS)(
  '%s is refused over a transport and by mux.handle, unless the host says otherwise',
  async (name) => {
    await using mux = await withEcho();
    const lines: string[] = [];
    const message = Buffer.from(
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: params(name) }),
    );
    await mux.handle(message, {}, (line) => void lines.push(Buffer.from(line).toString()));
    expect(lines.at(-1)).toContain('(rule: deny)');
    for (const [options, isError] of [
      [{}, true],
      [{ principal: MANAGER }, undefined],
    ] as const) {
      const [near, far] = InMemoryTransport.createLinkedPair();
      mux.connect(far, options);
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(near);
      const result = await client.callTool(params(name));
      expect(result.isError).toBe(isError);
      await client.close();
    }
  },
);

it.each(OPERATIONS)('%s is refused over a socket, and done for the client on stdio', async (name) => {
  await using mux = await withEcho();
  const answers = new PassThrough();
  const socket = new Duplex({
    read: () => undefined,
    write: (chunk, _, done) => void answers.write(chunk, done),
  });
  const answered = new Promise<string>((resolve) => forEachLine(answers, resolve));
  mux.connect({ input: socket, output: socket });
  socket.push(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: params(name) })}\n`);
  expect(await answered).toContain('(rule: deny)');
  const client = await MuxClient.initialized(mux, {});
  const answer = await client.request('tools/call', params(name));
  expect(answer).not.toHaveProperty('result.isError');
});
