import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { modernLine } from '../testing/modern-lines.js';
import { MuxClient } from '../testing/mux-client.js';
import { textOf } from '../testing/mux-rig.js';
import type { ProtocolMode } from '../server/config/server-config.js';
import { createMux } from './mux.js';

/** A server on the official SDK 2.4.0, which speaks the era of the message that comes first. */
function program(options: string): string {
  return `
    import { fromJsonSchema, inputRequired, McpServer } from '@modelcontextprotocol/server';
    import { serveStdio } from '@modelcontextprotocol/server/stdio';
    const anything = fromJsonSchema({ type: 'object', properties: {} });
    serveStdio((context) => {
      const server = new McpServer({ name: 'v2', version: '1' }, { capabilities: { tools: {} } });
      server.registerTool('era', { inputSchema: anything }, () => (
        { content: [{ type: 'text', text: context.era }] }));
      server.registerTool('ask', { inputSchema: anything }, (_, { mcpReq }) => {
        const { inputResponses } = mcpReq;
        if (inputResponses !== undefined)
          return { content: [{ type: 'text', text: JSON.stringify(inputResponses) }] };
        const requestedSchema = { type: 'object', properties: { v: { type: 'string' } } };
        return inputRequired({
          inputRequests: { answer: inputRequired.elicit({ message: 'Well?', requestedSchema }) },
          requestState: 'state-1',
        });
      });
      return server;
    }, ${options});`;
}

function config(protocol: ProtocolMode, options = '{}') {
  const args = ['--input-type=module', '-e', program(options)];
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  return { command: process.execPath, args, cwd, protocol };
}

const CAPABILITIES = { elicitation: { form: {} } };

describe('a server on SDK 2.4.0 (serveStdio)', () => {
  it.each([
    ['2025-11-25', 'auto', '{}'],
    ['2026-07-28', 'auto', '{ legacy: "reject" }'],
    ['2025-11-25', 'legacy', '{}'],
    ['2026-07-28', 'modern', '{}'],
  ] as const)(
    'negotiates %s with a client of 2025-11-25, protocol %s, options %s',
    async (version, protocol, options) => {
      await using mux = createMux();
      const client = await MuxClient.initialized(mux, CAPABILITIES);
      await expect(mux.addServer('v', config(protocol, options))).resolves.toMatchObject({
        protocol_version: version,
      });
      const { result } = await client.call('v__era');
      expect(textOf(result)).toBe(version === '2026-07-28' ? 'modern' : 'legacy');
      expect(JSON.stringify(result)).not.toContain('resultType');
    },
  );

  it('negotiates 2026-07-28 with a client of 2025-11-25, protocol modern, and is given what it asks for', async () => {
    await using mux = createMux();
    const client = await MuxClient.initialized(mux, CAPABILITIES);
    await mux.addServer('v', config('modern'));
    const called = client.call('v__ask');
    const { id } = await client.asked('elicitation/create');
    client.answer(id, { action: 'accept', content: { v: 'forty-two' } });
    const { result } = await called;
    expect(textOf(result)).toContain('forty-two');
  });

  it('negotiates 2026-07-28 with a client of 2026-07-28, protocol auto, and asks in the result', async () => {
    await using mux = createMux();
    const client = new MuxClient(mux);
    const request = async (
      id: string,
      method: string,
      params: object = {},
    ): Promise<Record<string, unknown>> => {
      client.send(modernLine(id, method, params, { capabilities: CAPABILITIES }));
      return JSON.parse(await client.responseLine(id)) as Record<string, unknown>;
    };
    await request('1', 'tools/list');
    const added = mux.addServer('v', config('auto'));
    await expect(added).resolves.toMatchObject({ protocol_version: '2026-07-28', era: 'modern' });
    const asked = await request('2', 'tools/call', { name: 'v__ask', arguments: {} });
    expect(asked).toMatchObject({
      result: {
        resultType: 'input_required',
        requestState: 'state-1',
        inputRequests: { answer: { params: { message: '[v] Well?' } } },
      },
    });
    const inputResponses = { answer: { action: 'accept', content: { v: 'x' } } };
    const again = { name: 'v__ask', arguments: {}, requestState: 'state-1', inputResponses };
    await expect(request('3', 'tools/call', again)).resolves.toMatchObject({
      result: { resultType: 'complete' },
    });
  });
});
