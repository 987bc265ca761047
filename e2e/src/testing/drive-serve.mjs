// Runs `mcpmux serve` with these arguments on the terminal that stderr is, and uses its servers as a client does.
import { spawn } from 'node:child_process';
import process from 'node:process';

import split from 'split2';

const [, , tools = '', ...command] = process.argv;
const child = spawn(process.execPath, command, { stdio: ['pipe', 'pipe', 'inherit'] });
const waiting = new Map();
child.stdout.pipe(split()).on('data', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === undefined) waiting.get(id)?.();
});

let last = 0;
function request(method, params) {
  last += 1;
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: last, method, params })}\n`);
  return new Promise((resolve) => waiting.set(last, resolve));
}

await request('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'driver', version: '1' },
});
await request('logging/setLevel', { level: 'debug' });
// A reload waits until its server has started, or has failed.
for (const name of ['hostile', 'die', 'version', 'refuse'])
  await request('tools/call', { name: 'reload_server', arguments: { name } });
for (const name of JSON.parse(tools)) await request('tools/call', { name, arguments: {} });
child.stdin.end();
child.on('exit', (code) => (process.exitCode = code ?? 1));
