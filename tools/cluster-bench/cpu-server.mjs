// A server with one tool that computes for some milliseconds: what a CPU-bound server costs its machine.
import { createInterface } from 'node:readline';
import process from 'node:process';

const WORK_MS = 2;
const TOOL = { name: 'compute', inputSchema: { type: 'object' } };

const ANSWERS = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'cpu', version: '1' },
  }),
  'tools/list': () => ({ tools: [TOOL] }),
  'tools/call': () => {
    const { user } = process.cpuUsage();
    while (process.cpuUsage().user - user < WORK_MS * 1000);
    return { content: [{ type: 'text', text: 'done' }] };
  },
  ping: () => ({}),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const answer = ANSWERS[method];
  const error = { code: -32_601, message: `no ${method}` };
  const body = answer === undefined ? { error } : { result: answer() };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...body })}\n`);
});
