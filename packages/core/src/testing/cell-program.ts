import process from 'node:process';
import { fileURLToPath } from 'node:url';

import type { ProtocolMode } from '../server/config/server-config.js';

/** Tools on SDK 2.4.0 that say for whom they work: with every progress, question and result. */
const PROGRAM = `
  import { fromJsonSchema, inputRequired, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
  import { serveStdio } from '@modelcontextprotocol/server/stdio';
  const anything = fromJsonSchema({ type: 'object', properties: {} });
  const requestedSchema = { type: 'object', properties: { v: { type: 'string' } } };
  const text = (said) => ({ content: [{ type: 'text', text: said }] });
  serveStdio(({ era }) => {
    const capabilities = { tools: {}, resources: { subscribe: true } };
    const server = new McpServer({ name: 'cell', version: '1' }, { capabilities });
    server.registerTool('work', { inputSchema: anything }, async ({ mark, steps, asks }, { mcpReq }) => {
      const round = Number(mcpReq.requestState() ?? 0);
      const progressToken = mcpReq._meta?.progressToken;
      for (let progress = 1; progress <= steps; progress += 1)
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, message: mark } });
      const said = mcpReq.inputResponses?.q?.content?.v;
      if (round === asks) return text(mark + '|' + (said ?? ''));
      const q = inputRequired.elicit({ message: mark + '#' + round, requestedSchema });
      return inputRequired({ inputRequests: { q }, requestState: String(round + 1) });
    });
    server.registerTool('wait', { inputSchema: anything }, () => new Promise(() => undefined));
    const subscribed = new Set();
    const { server: protocol } = server;
    const template = new ResourceTemplate('memo:///{name}', { list: undefined });
    server.registerResource('memo', template, {}, ({ href }) => ({ contents: [{ uri: href, text: href }] }));
    protocol.setRequestHandler('resources/subscribe', ({ params }) => (subscribed.add(params.uri), {}));
    protocol.setRequestHandler('resources/unsubscribe', ({ params }) => (subscribed.delete(params.uri), {}));
    server.registerTool('touch', { inputSchema: anything }, async ({ uri, mark }) => {
      if (era === 'modern' || subscribed.has(uri)) await protocol.sendResourceUpdated({ uri });
      return text(mark + '|');
    });
    return server;
  });`;

/** A server on SDK 2.4.0 that is spoken to in this era. */
export function cellProgram(protocol: ProtocolMode) {
  const args = ['--input-type=module', '-e', PROGRAM];
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  return { command: process.execPath, args, cwd, protocol };
}
