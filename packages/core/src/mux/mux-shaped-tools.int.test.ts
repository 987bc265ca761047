import process from 'node:process';

import { expect, it } from 'vitest';

import { modernLine } from '../testing/modern-lines.js';
import { MuxClient } from '../testing/mux-client.js';
import { createMux } from './mux.js';

/** A server of one era, whose tool returns its arguments as text and as structured content. */
const PROGRAM = `
const isModern = process.argv[1] === 'modern';
const schema = { type: 'object', properties: { q: { type: 'string' }, repo: { type: 'string' }, n: { type: 'integer' } }, required: ['q', 'repo'] };
const stamp = isModern ? { resultType: 'complete' } : {};
const cached = isModern ? { ...stamp, ttlMs: 0, cacheScope: 'public' } : {};
const tool = { name: 'find', inputSchema: schema, outputSchema: { type: 'object' } };
const result = ({ method, params }) => {
  if (method === 'server/discover' && isModern) return { supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, _meta: { 'io.modelcontextprotocol/serverInfo': { name: 's', version: '1' } }, ...cached };
  if (method === 'initialize' && !isModern) return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } };
  if (method === 'tools/list') return { tools: [tool], ...cached };
  if (method !== 'tools/call') return undefined;
  const given = params.arguments;
  return { content: [{ type: 'text', text: JSON.stringify(given) }], structuredContent: given, ...stamp };
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, ...message } = JSON.parse(line);
  if (id === undefined) return;
  const found = result(message);
  const outcome = found === undefined ? { error: { code: message.method === 'initialize' ? -32022 : -32601, message: 'no' , data: { supported: ['2026-07-28'] } } } : { result: found };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }));
});`;

const ERAS = ['legacy', 'modern'] as const;
const CELLS = ERAS.flatMap((client) => ERAS.map((server) => ({ client, server })));

interface Answer {
  readonly result?: Readonly<Record<string, unknown>>;
}

it.each(CELLS)(
  'a tool has the arguments and results of its settings for $client clients of $server servers',
  async ({ client: era, server }) => {
    await using mux = createMux();
    const { client, request } = await clientOf(mux, era);
    const shapes = { repo: { value: 'mine' }, n: { default: 5 } };
    await mux.addServer(
      's',
      { command: process.execPath, args: ['-e', PROGRAM, server] },
      {
        tools: { shown: () => ({ arguments: shapes, result: 'content' }) },
      },
    );
    const { result: listed } = await request('tools/list');
    const tool = (listed?.['tools'] as readonly { readonly name: string }[] | undefined)?.find(
      ({ name }) => name === 's__find',
    );
    expect(tool).toMatchObject({
      inputSchema: {
        properties: { q: { type: 'string' }, n: { type: 'integer', default: 5 } },
        required: ['q'],
      },
    });
    expect(tool).not.toHaveProperty('outputSchema');
    expect(tool).not.toHaveProperty('inputSchema.properties.repo');
    const { result } = await request('tools/call', {
      name: 's__find',
      arguments: { q: 'x', repo: 'theirs' },
    });
    const text = '{"q":"x","repo":"mine","n":5}';
    expect(result?.['content']).toEqual([{ type: 'text', text }]);
    expect(result).not.toHaveProperty('structuredContent');
    expect(client.lines.join('\n')).not.toContain('theirs');
  },
);

async function clientOf(mux: ReturnType<typeof createMux>, era: 'legacy' | 'modern') {
  const client = era === 'legacy' ? await MuxClient.initialized(mux) : new MuxClient(mux);
  let given = 100;
  const request = async (method: string, params: object = {}): Promise<Answer> => {
    given += 1;
    const id = `"q${given}"`;
    const legacy = JSON.stringify({ jsonrpc: '2.0', id: `q${given}`, method, params });
    client.send(era === 'legacy' ? legacy : modernLine(id, method, params));
    return JSON.parse(await client.responseLine(id)) as Answer;
  };
  return { client, request };
}
