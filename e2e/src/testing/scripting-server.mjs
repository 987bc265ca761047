/** Answers each request with HTML and script in each text that a page could show. Each text names its field. */
import { createInterface } from 'node:readline';
import process from 'node:process';

/** `refuse` answers `initialize` with an error; `bare` has no tools, so that answers about it are short. */
const [, , mode] = process.argv;
/** Markup that would run and load: the field is in the text that the page shows, and in the script that must not run. */
const markup = (field) =>
  `<img src="//leak.example/${field}" onerror="window.ran='${field}'"><svg onload="window.ran='${field}'">`;
const script = (field) => `javascript:window.ran='${field}'`;
const data = (field) => `data:text/html,<script>window.ran='${field}'</script>`;
/** A field of the name that has `markup` as its value. */
const marked = (prefix, ...names) =>
  Object.fromEntries(names.map((name) => [name, markup(`${prefix}.${name}`)]));
const icons = (field) => [{ src: script(`${field}.icon`) }, { src: data(`${field}.icon-data`) }];

const PARAMETERS = {
  type: 'object',
  description: markup('tool.schema'),
  properties: {
    [markup('parameter.name')]: { type: 'string', ...marked('parameter', 'title', 'description', 'default') },
    choice: { type: 'string', enum: [markup('parameter.enum')] },
    format: { type: 'string', pattern: markup('parameter.pattern') },
  },
};
const tool = (name, description = markup('tool.description')) => ({
  name,
  title: markup('tool.title'),
  description,
  inputSchema: PARAMETERS,
  outputSchema: { type: 'object', properties: { [markup('output.name')]: marked('output', 'description') } },
  annotations: { title: markup('tool.annotation'), [markup('tool.hint')]: true },
  icons: icons('tool'),
});
const NAMES = ['<script>window.ran=1</script>', 'visit', 'form', 'sample', 'fail', 'blocks', 'wait', 'turn'];
const TOOLS = NAMES.map((name) => tool(name));
// The rest of the definition is refused, so a warning has the name.
const REFUSED = { ...tool(markup('warning')), inputSchema: 'no schema' };
const argument = { name: markup('argument.name'), description: markup('argument.description') };
const uri = script('resource.uri');
const LISTS = {
  'prompts/list': {
    prompts: [
      { ...marked('prompt', 'name', 'title', 'description'), arguments: [argument], icons: icons('prompt') },
    ],
  },
  'resources/list': {
    resources: [
      { uri, ...marked('resource', 'name', 'title', 'description', 'mimeType'), icons: icons('resource') },
    ],
  },
  'resources/templates/list': {
    resourceTemplates: [
      {
        uriTemplate: `x:${markup('template.uri')}/{a}`,
        ...marked('template', 'name', 'title', 'description'),
      },
    ],
  },
};
const BLOCKS = [
  { type: 'text', text: markup('text') },
  {
    type: 'resource_link',
    uri: script('link.uri'),
    ...marked('link', 'name', 'title', 'description', 'mimeType'),
  },
  {
    type: 'resource',
    resource: { uri: script('embedded.uri'), ...marked('embedded', 'mimeType', 'text') },
  },
  { type: 'resource', resource: { uri: data('blob.uri'), mimeType: 'text/html', blob: 'PHNjcmlwdD4=' } },
  { type: 'image', mimeType: markup('image.mimeType'), data: 'AAAA' },
  { type: 'image', mimeType: 'image/png', data: '<img src=x onerror=window.ran=1>' },
  { type: 'image', mimeType: 'image/svg+xml', data: 'PHN2ZyBvbmxvYWQ9IndpbmRvdy5yYW49MSIvPg==' },
  { type: 'audio', mimeType: markup('audio.mimeType'), data: 'AAAA' },
  { type: markup('block.type'), [markup('block.member')]: 1 },
];
const RESULTS = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: { listChanged: true }, prompts: {}, resources: {}, logging: {} },
    serverInfo: marked('server', 'name', 'version'),
    instructions: markup('instructions'),
  },
  ...LISTS,
  'prompts/get': {
    description: markup('got.description'),
    messages: [
      { role: 'user', content: { type: 'text', text: markup('got.text') } },
      { role: markup('got.role'), content: { type: 'text', text: 'a role of its own' } },
    ],
  },
  'resources/read': { contents: [{ uri: script('read.uri'), ...marked('read', 'mimeType', 'text') }] },
};

const CHOICES = [{ const: markup('question.const'), title: markup('question.choice') }];
const QUESTIONS = {
  visit: {
    method: 'elicitation/create',
    params: {
      mode: 'url',
      message: markup('visit.message'),
      url: script('visit.url'),
      elicitationId: 'visit',
    },
  },
  form: {
    method: 'elicitation/create',
    params: {
      message: markup('question.message'),
      requestedSchema: {
        type: 'object',
        properties: {
          [markup('question.name')]: {
            type: 'string',
            ...marked('question', 'title', 'description', 'default'),
          },
          named: {
            type: 'string',
            enum: [markup('question.enum')],
            enumNames: [markup('question.enumName')],
          },
          plain: { type: 'string', enum: [markup('question.plain')] },
          one: { type: 'string', oneOf: CHOICES },
          many: { type: 'array', items: { type: 'string', enum: [markup('question.many')] } },
        },
      },
    },
  },
  sample: {
    method: 'sampling/createMessage',
    params: {
      systemPrompt: markup('sampling.systemPrompt'),
      maxTokens: 7,
      messages: [{ role: 'user', content: { type: 'text', text: markup('sampling.text') } }],
      modelPreferences: { hints: [{ name: markup('sampling.hint') }] },
    },
  },
};
/** The call that waits for an answer to a question, or for a call of `turn`. */
let waiting;

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function answer(id, isError) {
  const structuredContent = { [markup('structured.name')]: markup('structured.value') };
  send({ id, result: { isError, content: BLOCKS, structuredContent } });
}

function turn() {
  TOOLS[0] = tool(TOOLS[0].name, markup('changed.description'));
  send({ method: 'notifications/tools/list_changed' });
  answer(waiting, false);
}

function called(id, { name, _meta: meta }) {
  const { [name]: question } = QUESTIONS;
  const log = { level: 'error', logger: markup('log.logger'), data: markup('log.data') };
  send({ method: 'notifications/message', params: log });
  if (meta?.progressToken !== undefined) {
    const progress = { progressToken: meta.progressToken, progress: 1, message: markup('progress') };
    send({ method: 'notifications/progress', params: progress });
  }
  if (name === 'fail')
    return send({ id, error: { code: -5, message: markup('error'), data: markup('error.data') } });
  if (name === 'turn') turn();
  if (question === undefined && name !== 'wait') return answer(id, name !== 'blocks');
  waiting = id;
  if (question !== undefined) send({ id: 'question', ...question });
}

process.stderr.write(`${markup('stderr')}\n`);
process.stdout.write(`${markup('stdout')}\n`);
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === undefined) answer(waiting, true);
  else if (method === 'tools/list')
    send({ id, result: { tools: mode === 'bare' ? [] : [...TOOLS, REFUSED] } });
  else if (method === 'tools/call') called(id, params);
  else if (method === 'initialize' && mode === 'refuse')
    send({ id, error: { code: -1, message: markup('refusal') } });
  else send({ id, result: RESULTS[method] ?? {} });
});
