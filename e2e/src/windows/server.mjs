// A server whose tools show how it was started: its arguments, its working directory, its environment and its process.
// With the argument `--tree`, it has a child and a grandchild, and none of the three minds the end of its stdin.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import process from 'node:process';

const TREE = '--tree';
const depth = process.argv.filter((arg) => arg === TREE).length;
const pids = [process.pid];
if (depth > 0) {
  setInterval(() => undefined, 60_000);
  const below = process.argv.slice(2).toSpliced(process.argv.lastIndexOf(TREE) - 2, 1);
  const child = spawn(process.execPath, [process.argv[1], ...below], { stdio: ['pipe', 'pipe', 'ignore'] });
  const answer = new Promise((resolve) => createInterface({ input: child.stdout }).once('line', resolve));
  child.stdin.write(`${JSON.stringify({ id: 1, method: 'tools/call', params: { name: 'tree' } })}\n`);
  pids.push(...JSON.parse(JSON.parse(await answer).result.content[0].text));
} else if (process.argv.includes('--stay')) setInterval(() => undefined, 60_000);

const inputSchema = { type: 'object', properties: { name: { type: 'string' } } };
const TOOLS = {
  args: () => process.argv.slice(2),
  cwd: () => process.cwd(),
  env: ({ name }) => process.env[name] ?? null,
  tree: () => pids,
  echo: ({ name }) => name,
  slow: ({ name }) => new Promise((resolve) => setTimeout(resolve, 200, name)),
  crash: () => process.exit(7),
};
const RESULTS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'windows', version: '1' },
  }),
  'tools/list': () => ({ tools: Object.keys(TOOLS).map((name) => ({ name, inputSchema })) }),
  'tools/call': async ({ name, arguments: args = {} }) => ({
    content: [{ type: 'text', text: JSON.stringify(await TOOLS[name](args)) }],
  }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = await RESULTS[method]?.(params);
  const outcome =
    result === undefined ? { error: { code: -32_601, message: 'Method not found' } } : { result };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`);
}
