/** Asks for everything that a legacy server can ask, answers in shapes that MCP does not have, and has templates and completions. */
import { createInterface } from 'node:readline';
import process from 'node:process';

const HTML = '<img src=x onerror="window.ran=1">';
const SAMPLING = {
  systemPrompt: `Be brief ${HTML}`,
  maxTokens: 20,
  temperature: 0.5,
  stopSequences: ['END'],
  includeContext: 'none',
  modelPreferences: { hints: [{ name: 'small-model' }], costPriority: 0.3 },
  metadata: { topic: 'weather' },
  messages: [
    { role: 'user', content: { type: 'text', text: `What is the weather? ${HTML}` } },
    { role: 'assistant', content: { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' } },
    { role: 'user', content: { type: 'image', mimeType: 'image/svg+xml', data: 'AAAA' } },
  ],
};
const FORM = {
  message: `[another] Your name? ${HTML}`,
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
};
const VISIT = { mode: 'url', message: 'Log in', url: 'https://a.example/', elicitationId: 'visit' };
const QUESTIONS = {
  sample: ['sampling/createMessage', SAMPLING],
  form: ['elicitation/create', FORM],
  visit: ['elicitation/create', VISIT],
};
const ODD = {
  null: { content: [null, 7] },
  text: { content: 'text' },
  none: {},
  media: { content: [{ type: 'image', mimeType: 'image/png', data: { a: 1 } }, { type: 'resource' }] },
};
const NAMES = ['Ada', 'Alan', 'Grace'];
const RESULTS = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
    serverInfo: { name: 'asking', version: '1' },
  },
  'tools/list': {
    tools: [
      ...['sample', 'form', 'visit', 'hold', 'heard'].map((name) => ({
        name,
        inputSchema: { type: 'object' },
      })),
      { name: 'odd', inputSchema: { type: 'object', properties: { as: { enum: Object.keys(ODD) } } } },
    ],
  },
  'prompts/list': {
    prompts: [
      {
        name: 'greet',
        arguments: [
          { name: 'person', description: 'The guest of honour', required: true },
          { name: 'tone', title: 'Tone of voice' },
        ],
      },
      { name: 'strange' },
    ],
  },
  'resources/list': { resources: [{ uri: 'odd:contents', name: 'odd contents' }] },
  'resources/templates/list': {
    resourceTemplates: [{ uriTemplate: 'notes://{person}/{+path}{?tag*}', name: 'notes' }],
  },
};

const asked = new Map();
/** The tools of the calls, by their ids. */
const calls = new Map();
/** The answers to the questions of this server, and the cancellations. */
const heard = [];

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function said(id, value) {
  send({ id, result: { content: [{ type: 'text', text: JSON.stringify(value) }] } });
}

/** Calls of tools that answer at once, or after an answer of the client. */
function call(id, { name, arguments: args }) {
  const [method, params] = QUESTIONS[name] ?? [];
  calls.set(id, name);
  if (method !== undefined) {
    const question = `q${String(id)}`;
    asked.set(question, id);
    send({ id: question, method, params });
  } else if (name === 'odd') send({ id, result: ODD[args.as] });
  else if (name === 'heard') said(id, heard);
}

const ANSWERS = {
  'tools/call': call,
  'prompts/get': (id, { name, arguments: args }) => {
    const messages = [{ role: 'user', content: { type: 'text', text: JSON.stringify(args) } }, 'no object'];
    send({ id, result: name === 'strange' ? { description: 'without messages' } : { messages } });
  },
  'resources/read': (id, { uri }) => {
    const contents = uri === 'odd:contents' ? {} : [{ uri, text: `read ${uri}` }];
    send({ id, result: { contents } });
  },
  'completion/complete': (id, { argument, context }) => {
    const { person = 'nobody' } = context?.arguments ?? {};
    const values = { person: NAMES, tag: ['rare', 'red'] }[argument.name] ?? [`kind to ${person}`];
    send({ id, result: { completion: { values: values.filter((one) => one.startsWith(argument.value)) } } });
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === 'notifications/cancelled') {
    heard.push({ cancelled: calls.get(params.requestId) });
  } else if (method === undefined) {
    heard.push(result ?? { error });
    said(asked.get(id), result ?? { error });
  } else if (id !== undefined) {
    const answer = ANSWERS[method];
    if (answer === undefined) send({ id, result: RESULTS[method] ?? {} });
    else answer(id, params);
  }
});
