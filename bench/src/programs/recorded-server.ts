// A server that lists the tools of a real server, as they were recorded. It answers no call.
//
// usage: recorded-server NAME

import { createInterface } from 'node:readline';

import { recordedServers } from '../search/recorded-tools.js';

const [name = ''] = process.argv.slice(2);
const tools = recordedServers().find(({ server }) => server === name)?.tools ?? [];

for await (const line of createInterface(process.stdin)) {
  const { id, method, params } = JSON.parse(line) as { id?: unknown; method: string; params?: unknown };
  if (id === undefined) continue;
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answerTo(method, params) })}\n`);
}

function answerTo(method: string, params: unknown): object {
  if (method === 'tools/list') return { result: { tools } };
  if (method !== 'initialize') return { error: { code: -32_601, message: 'Method not found' } };
  const { protocolVersion } = params as { protocolVersion: string };
  const serverInfo = { name, version: '1' };
  return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo } };
}
