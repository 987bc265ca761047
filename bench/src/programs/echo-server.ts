// The server behind every target: raw and fast, so that what is measured is what stands before it.
//
// usage: echo-server PAYLOAD [--id-first] [--modern] [--tools N] [--tag TEXT]
//   PAYLOAD     what calls are answered with: a name that payload.ts knows, or the size of a text in bytes
//   --id-first  answers put `id` before `result`; without it after, as servers built with the SDK do
//   --modern    speaks 2026-07-28: results have a type
//   --tools N   lists N tools; all of them answer alike
//   --tag TEXT  does nothing: a list of processes shows it
import process from 'node:process';
import { parseArgs } from 'node:util';

import { payloadOf } from '../payload.js';

const NEWLINE = 0x0a;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    'id-first': { type: 'boolean', default: false },
    modern: { type: 'boolean', default: false },
    tools: { type: 'string', default: '1' },
    tag: { type: 'string' },
  },
});
const [payload = ''] = positionals;
const isIdFirst = values['id-first'];
const toolCount = Number(values.tools);
// As the SDK writes them: after the members of the result.
const stamp = values.modern ? { resultType: 'complete' } : {};
const cached = values.modern ? { ...stamp, ttlMs: 0, cacheScope: 'private' } : {};
const callResult = Buffer.from(JSON.stringify({ ...payloadOf(payload).result(), ...stamp }));

let rest: Buffer[] = [];
process.stdin.on('data', (chunk: Buffer) => {
  let start = 0;
  for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
    receive(Buffer.concat([...rest, chunk.subarray(start, end)]).toString());
    rest = [];
    start = end + 1;
  }
  if (start < chunk.length) rest.push(chunk.subarray(start));
});

function receive(line: string): void {
  const { id, method, params } = JSON.parse(line) as { id?: unknown; method: string; params?: unknown };
  if (id === undefined) return;
  const text = JSON.stringify(id);
  if (method === 'server/discover' && !values.modern) process.stdout.write(refusalOf(text));
  else answer(text, method === 'tools/call' ? callResult : JSON.stringify(resultOf(method, params)));
}

// A server of the other era must not look like a modern one: calls would go over a bridge.
function refusalOf(id: string): string {
  return `{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"Method not found"}}\n`;
}

// One write per answer, as servers do that answer each call when it is done.
function answer(id: string, result: Buffer | string): void {
  const { stdout } = process;
  stdout.cork();
  stdout.write(isIdFirst ? `{"jsonrpc":"2.0","id":${id},"result":` : '{"result":');
  stdout.write(result);
  stdout.write(isIdFirst ? '}\n' : `,"jsonrpc":"2.0","id":${id}}\n`);
  stdout.uncork();
}

function resultOf(method: string, params: unknown): unknown {
  if (method === 'initialize') return initializeResult(params);
  if (method === 'server/discover')
    return { supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, ...cached };
  if (method === 'tools/list') return { tools: Array.from({ length: toolCount }, tool), ...cached };
  return stamp;
}

function initializeResult(params: unknown): unknown {
  const { protocolVersion } = params as { protocolVersion: string };
  return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'bench-echo', version: '1' } };
}

function tool(_: unknown, index: number): unknown {
  return {
    name: index === 0 ? 'echo' : `echo_${index}`,
    description: 'Answers with what the command line says.',
    inputSchema: { type: 'object', properties: { message: { type: 'string' } } },
  };
}
