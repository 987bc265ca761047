// The server at a url behind every way there: raw and fast, so that what is measured is what stands before it.
//
// usage: url-server PORT PAYLOAD [--stream]
//   PAYLOAD   what calls are answered with: a name that payload.ts knows, or the size of a text in bytes
//   --stream  answers are events of a stream, as servers built with the SDK send them; without it bodies
import { createServer } from 'node:http';
import process from 'node:process';

import { payloadOf } from '../payload.js';

const [port = '0', payload = '', flag] = process.argv.slice(2);
const isStream = flag === '--stream';
const headers = {
  'content-type': isStream ? 'text/event-stream' : 'application/json',
  'mcp-session-id': 'bench',
};
const callResult = JSON.stringify(payloadOf(payload).result());
const TOOL = { name: 'echo', inputSchema: { type: 'object', properties: { message: { type: 'string' } } } };

createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(Buffer.concat(parts).toString()) as Message;
    if (id === undefined) return void response.writeHead(202).end();
    const result = method === 'tools/call' ? callResult : JSON.stringify(resultOf(method, params));
    const message = `{"result":${result},"jsonrpc":"2.0","id":${id}}`;
    response.writeHead(200, headers).end(isStream ? `event: message\ndata: ${message}\n\n` : message);
  });
}).listen(Number(port), '127.0.0.1');

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string };
}

function resultOf(method: string, params: Message['params']): unknown {
  if (method === 'tools/list') return { tools: [TOOL] };
  if (method !== 'initialize') return {};
  const serverInfo = { name: 'bench-url', version: '1' };
  return { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo };
}

process.once('SIGTERM', () => process.exit(0));
