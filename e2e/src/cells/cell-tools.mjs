// A server on SDK 2.4.0 that does the same in both eras, and over HTTP the same with one object for each request.
import { EventEmitter, once } from 'node:events';

import { fromJsonSchema, inputRequired, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const MEMO = 'memo:///one';
const FORM = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const QUESTIONS = {
  form: () => inputRequired.elicit({ message: 'Your name?', requestedSchema: FORM }),
  url: () => inputRequired.elicitUrl({ message: 'Log in', url: 'https://a.example/login?b=1' }),
  sampling: () =>
    inputRequired.createMessage({
      messages: [{ role: 'user', content: { type: 'text', text: 'Well?' } }],
      maxTokens: 7,
    }),
  roots: () => inputRequired.listRoots(),
};

/** Of all objects of the process. */
const state = { calls: new EventEmitter(), cancelled: 0, late: new Set() };

const object = (properties = {}) => fromJsonSchema({ type: 'object', properties });
const said = (text) => ({ content: [{ type: 'text', text }] });

/** Without the order of members, which each era has its own of. */
const sorted = (value) =>
  JSON.stringify(value, (_, one) =>
    one !== null && typeof one === 'object' && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : one,
  );

function registerTools(server, { era, changes }) {
  const tool = (name, properties, run, more = {}) =>
    server.registerTool(name, { inputSchema: object(properties), ...more }, run);
  tool('era', {}, () => said(era), { title: 'Era', annotations: { readOnlyHint: true } });
  tool('echo', { message: { type: 'string' } }, ({ message }) => said(message));
  tool('image', {}, () => ({ content: [{ type: 'image', data: PIXEL, mimeType: 'image/png' }] }));
  tool('link', {}, () => ({ content: [{ type: 'resource_link', uri: MEMO, name: 'one' }] }));
  tool('fails', {}, () => ({ ...said('it did not work'), isError: true }));
  tool('sum', { n: { type: 'array', items: { type: 'number' } } }, sum, {
    outputSchema: object({ sum: { type: 'number' } }),
  });
  tool('count', { n: { type: 'integer' } }, count);
  tool('log', { level: { type: 'string' } }, async ({ level }, { mcpReq }) => {
    await mcpReq.log(level, { said: level }, 'main');
    return said('logged');
  });
  tool('add_tool', { name: { type: 'string' } }, ({ name }) => {
    state.late.add(name);
    registerLate(server, name);
    changes?.toolsChanged();
    return said('added');
  });
}

/** A tool that comes when the server has long been running. */
function registerLate(server, name) {
  server.registerTool(name, { inputSchema: object() }, () => said(name));
}

const sum = ({ n }) => {
  const total = n.reduce((left, right) => left + right, 0);
  return { ...said(String(total)), structuredContent: { sum: total } };
};

async function count({ n }, { mcpReq }) {
  const { _meta: meta = {} } = mcpReq;
  const steps = meta.progressToken === undefined ? 0 : n;
  for (let progress = 1; progress <= steps; progress += 1) {
    const params = { progressToken: meta.progressToken, progress, total: n, message: `step ${progress}` };
    await mcpReq.notify({ method: 'notifications/progress', params });
  }
  return said(String(n));
}

/** Tools that ask, and tools whose calls are cancelled. */
function registerLongTools(server) {
  const tool = (name, properties, run) => server.registerTool(name, { inputSchema: object(properties) }, run);
  tool('ask', { kinds: { type: 'array', items: { type: 'string' } } }, ({ kinds }, { mcpReq }) => {
    const { inputResponses } = mcpReq;
    if (inputResponses !== undefined) return said(sorted(inputResponses));
    const inputRequests = Object.fromEntries(kinds.map((kind) => [kind, QUESTIONS[kind]()]));
    return inputRequired({ inputRequests, requestState: 'state "1"' });
  });
  tool('ask_twice', {}, (_, { mcpReq }) => {
    const round = Number(mcpReq.requestState() ?? 0);
    if (round === 2) return said(sorted(mcpReq.inputResponses));
    return inputRequired({ inputRequests: { form: QUESTIONS.form() }, requestState: String(round + 1) });
  });
  tool('wait', {}, (_, { mcpReq }) => {
    mcpReq.signal.addEventListener('abort', () => {
      state.cancelled += 1;
      state.calls.emit('cancelled');
    });
    return new Promise(() => undefined);
  });
  // Over HTTP the end of one connection and a call on another one have no order.
  tool('cancelled', {}, async () => {
    if (state.cancelled === 0) await once(state.calls, 'cancelled');
    return said(String(state.cancelled));
  });
}

function registerResources(server) {
  const read = (uri) => ({ contents: [{ uri: uri.href, mimeType: 'text/plain', text: `of ${uri.href}` }] });
  server.registerResource('one', MEMO, { title: 'One', mimeType: 'text/plain' }, read);
  const template = new ResourceTemplate('memo:///{name}', { list: undefined });
  server.registerResource('memos', template, { description: 'any memo' }, read);
  const subscribed = new Set();
  const { server: protocol } = server;
  const change = (method, apply) =>
    protocol.setRequestHandler(method, ({ params }) => {
      apply(params.uri);
      return {};
    });
  change('resources/subscribe', (uri) => subscribed.add(uri));
  change('resources/unsubscribe', (uri) => subscribed.delete(uri));
  return (uri, { era, changes }) => {
    if (changes !== undefined) return changes.resourceUpdated(uri);
    if (era === 'modern' || subscribed.has(uri)) return protocol.sendResourceUpdated({ uri });
    return Promise.resolve();
  };
}

function registerPrompts(server) {
  const argsSchema = fromJsonSchema({
    type: 'object',
    properties: { who: { type: 'string' } },
    required: ['who'],
  });
  const message = (text) => ({ messages: [{ role: 'user', content: { type: 'text', text } }] });
  server.registerPrompt('greet', { title: 'Greet', argsSchema }, ({ who }) => message(`Hello ${who}`));
  server.registerPrompt('plain', { description: 'without arguments' }, () => message('plain'));
  server.server.setRequestHandler('completion/complete', ({ params }) => ({
    completion: { values: ['ada', 'alan'].filter((one) => one.startsWith(params.argument.value)) },
  }));
}

/**
 * The server for one connection, or one request.
 *
 * @param context its era, and over HTTP the way to tell listeners of `changes`
 */
export function cellServer(context) {
  const capabilities = {
    tools: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
    prompts: { listChanged: true },
    completions: {},
    logging: {},
  };
  const server = new McpServer({ name: 'cell', version: '1' }, { capabilities, instructions: 'Be kind.' });
  registerTools(server, context);
  registerLongTools(server);
  const updated = registerResources(server);
  server.registerTool('touch', { inputSchema: object({ uri: { type: 'string' } }) }, async ({ uri }) => {
    await updated(uri, context);
    return said('touched');
  });
  registerPrompts(server);
  for (const name of state.late) registerLate(server, name);
  return server;
}
