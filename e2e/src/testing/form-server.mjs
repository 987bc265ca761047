/** A tool with a parameter of each kind that a form has a control for, and one that asks with each that elicitation allows. */
import { createInterface } from 'node:readline';
import process from 'node:process';

const CITIES = [
  { const: 'rix', title: 'Riga' },
  { const: 'tll', title: 'Tallinn' },
];
/** The schemas of 2025-11-25 and 2026-07-28 for a question. */
const QUESTION = {
  type: 'object',
  required: ['name', 'city'],
  properties: {
    name: { type: 'string', title: 'Full name', minLength: 2 },
    mail: { type: 'string', format: 'email' },
    site: { type: 'string', format: 'uri' },
    day: { type: 'string', format: 'date' },
    time: { type: 'string', format: 'date-time', default: '2026-01-31T12:00:00Z' },
    age: { type: 'integer', minimum: 0, maximum: 150 },
    share: { type: 'number', default: 0.5 },
    agreed: { type: 'boolean', default: true },
    size: { type: 'string', enum: ['s', 'm'] },
    old: { type: 'string', enum: ['a', 'b'], enumNames: ['First', 'Second'] },
    city: { type: 'string', oneOf: CITIES },
    colours: { type: 'array', items: { type: 'string', enum: ['red', 'blue'] }, default: ['blue'] },
    cities: { type: 'array', items: { anyOf: CITIES }, minItems: 1 },
  },
};
const ISSUE = {
  type: 'object',
  required: ['title', 'draft', 'tags'],
  properties: {
    title: { type: 'string', description: 'The name of the issue', pattern: '^[A-Z]' },
    text: { type: 'string' },
    count: { type: 'integer', minimum: 1, maximum: 10, default: 3 },
    draft: { type: 'boolean' },
    urgent: { type: 'boolean', description: 'Tells everybody' },
    tags: { type: 'array', items: { type: 'string' }, minItems: 1 },
    weights: { type: 'array', items: { type: 'number' } },
    owner: {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'integer' }, name: { type: 'string' } },
    },
    more: { type: 'object', description: 'Anything else' },
  },
};
const TOOLS = [
  { name: 'create', title: 'Create an issue', description: 'Creates an issue.', inputSchema: ISSUE },
  { name: 'ask', inputSchema: { type: 'object' } },
];
let asked;

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function answer(id, value) {
  send({
    id,
    result: { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value },
  });
}

const RESULTS = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'forms', version: '1' },
  },
  'tools/list': { tools: TOOLS },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (id === undefined) return;
  if (method === undefined) answer(asked, result);
  else if (params?.name === 'ask') {
    asked = id;
    send({
      id: 'form',
      method: 'elicitation/create',
      params: { message: 'Who are you?', requestedSchema: QUESTION },
    });
  } else if (params?.name === 'create') answer(id, params.arguments);
  else send({ id, result: RESULTS[method] ?? {} });
});
