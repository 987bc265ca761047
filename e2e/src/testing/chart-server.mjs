/** A server of MCP Apps: `chart` has a page, which calls `redraw`; `plain` has none, and `old` names its page as of old. */
import { createInterface } from 'node:readline';
import process from 'node:process';

const inputSchema = { type: 'object' };
const URI = 'ui://charts/main';
const TOOLS = [
  { name: 'chart', inputSchema, _meta: { ui: { resourceUri: URI } } },
  { name: 'redraw', inputSchema, _meta: { ui: { visibility: ['app'] } } },
  { name: 'old', inputSchema, _meta: { 'ui/resourceUri': URI } },
  { name: 'plain', inputSchema, description: 'Has no "ui"' },
];
const RESULTS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: 'charts', version: '1' },
  }),
  'tools/list': () => ({ tools: TOOLS }),
  'tools/call': ({ name }) => ({ content: [{ type: 'text', text: name }] }),
  'resources/list': () => ({ resources: [] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'resources/read': ({ uri }) => ({
    contents: [{ uri, mimeType: 'text/html;profile=mcp-app', text: '<!doctype html>chart' }],
  }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = RESULTS[method]?.(params);
  const outcome =
    result === undefined ? { error: { code: -32_601, message: 'Method not found' } } : { result };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`);
}
