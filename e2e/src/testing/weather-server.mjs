/** The server of docs/guides/write-a-server.md: its one tool says that it rains. */
import { createInterface } from 'node:readline';
import process from 'node:process';

const inputSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const RESULTS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'weather', version: '1' },
  }),
  'tools/list': () => ({ tools: [{ name: 'forecast', inputSchema }] }),
  'tools/call': ({ arguments: { city } }) => ({ content: [{ type: 'text', text: `rain in ${city}` }] }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = RESULTS[method]?.(params);
  const outcome =
    result === undefined ? { error: { code: -32_601, message: 'Method not found' } } : { result };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`);
}
