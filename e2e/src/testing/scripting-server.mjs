/** Answers every request with HTML and script in each text that a page could show. */
import { createInterface } from 'node:readline';
import process from 'node:process';

const TEXT = `<img src=x onerror="window.ran='TEXT'"><script>window.ran='TEXT'</script><a href="javascript:window.ran=1">x</a>"'\${window.ran=1}`;
const property = { type: 'string', description: TEXT, enum: [TEXT] };
const tool = {
  name: '<script>window.ran=1</script>',
  title: TEXT,
  description: TEXT,
  inputSchema: { type: 'object', properties: { [TEXT]: property }, description: TEXT },
  annotations: { title: TEXT },
  icons: [{ src: 'javascript:window.ran=1' }],
};
const RESULTS = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, prompts: {}, resources: {} },
    serverInfo: { name: TEXT, version: TEXT },
    instructions: TEXT,
  },
  'tools/list': { tools: [tool, { ...tool, name: 'ask' }, { ...tool, name: 'fail' }] },
  'prompts/list': { prompts: [{ name: TEXT, description: TEXT, arguments: [{ name: TEXT }] }] },
  'resources/list': { resources: [{ uri: 'javascript:window.ran=1', name: TEXT, description: TEXT }] },
  'resources/templates/list': { resourceTemplates: [{ uriTemplate: `x:${TEXT}/{a}`, name: TEXT }] },
  'tools/call': { isError: true, content: [{ type: 'text', text: TEXT }] },
  ping: {},
};

const VISIT = { mode: 'url', message: TEXT, url: 'javascript:window.ran=1', elicitationId: 'visit' };
let asked;

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

process.stderr.write(`${TEXT}\n`);
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === undefined) send({ id: asked, result: RESULTS['tools/call'] });
  else if (params?.name === 'ask') {
    asked = id;
    send({ id: 'visit', method: 'elicitation/create', params: VISIT });
  } else send({ id, result: RESULTS[method] ?? {} });
});
