/** A server whose tool returns the _meta of its call. With the argument `wants` it wants to know the sandbox of Codex. */
import { createInterface } from 'node:readline';
import process from 'node:process';

const [, , wish] = process.argv;
const experimental = wish === 'wants' ? { 'codex/sandbox-state-meta': {} } : { other: {} };
const TOOLS = [{ name: 'meta', inputSchema: { type: 'object' } }];

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {}, experimental },
      serverInfo: { name: 'reader', version: '1' },
    },
    'tools/list': { tools: TOOLS },
    'tools/call': { content: [{ type: 'text', text: JSON.stringify(params?.['_meta'] ?? {}) }] },
    ping: {},
  }[method];
  const answer = result === undefined ? { error: { code: -32601, message: 'unknown' } } : { result };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
});
