import type { JsonObject } from '../surface/outcome.js';
import type { CellClient } from './cell-client.js';
import type { RequestExtras } from './era-peer.js';

/** One thing that a client of either era does. */
export interface CellStep {
  readonly method: string;
  /** A rule in the present tense. */
  readonly does: string;
  run(client: CellClient): Promise<unknown>;
}

const MEMO = 'memo:///one';
const SAMPLED = { role: 'assistant', model: 'none', content: { type: 'text', text: 'sampled' } };

function send(method: string, params: JsonObject = {}) {
  return (client: CellClient): Promise<void> => client.request(method, params);
}

function call(name: string, args: JsonObject = {}, extras?: RequestExtras) {
  return (client: CellClient): Promise<void> => client.call(name, args, extras);
}

/** Connecting, and the lists. */
const LISTS: readonly CellStep[] = [
  { method: 'initialize', does: 'the server introduces itself', run: () => Promise.resolve() },
  { method: 'tools/list', does: 'tools keep title, schemas and annotations', run: send('tools/list') },
  { method: 'resources/list', does: 'resources keep title and media type', run: send('resources/list') },
  {
    method: 'resources/templates/list',
    does: 'templates are listed',
    run: send('resources/templates/list'),
  },
  { method: 'prompts/list', does: 'prompts keep title and arguments', run: send('prompts/list') },
];

/** Calls that nobody is asked about. */
const CALLS: readonly CellStep[] = [
  { method: 'tools/call', does: 'text comes back', run: call('echo', { message: 'héllo' }) },
  { method: 'tools/call', does: 'structured content comes back', run: call('sum', { n: [1, 2.5] }) },
  { method: 'tools/call', does: 'an image comes back', run: call('image') },
  { method: 'tools/call', does: 'a resource link keeps its URI', run: call('link') },
  { method: 'tools/call', does: 'a failure of a tool is a result', run: call('fails') },
  { method: 'tools/call', does: 'an unknown tool is refused', run: call('nothing') },
  { method: 'x/unknown', does: 'an unknown method is refused', run: (client) => client.raw('x/unknown') },
  {
    method: 'notifications/progress',
    does: 'progress comes in order, before the result',
    run: call('count', { n: 3 }, { onprogress: () => undefined }),
  },
  {
    method: 'notifications/progress',
    does: 'without a token no progress comes',
    run: call('count', { n: 3 }),
  },
  { method: 'notifications/cancelled', does: 'a cancelled call is not answered', run: cancel },
];

async function cancel(client: CellClient): Promise<void> {
  const ended = new AbortController();
  const waiting = client.call('wait', {}, { signal: ended.signal });
  await client.fence('echo', { message: 'the call has come' });
  ended.abort();
  await waiting;
  await client.call('cancelled');
}

/** What a server asks its client during a call. */
const QUESTIONS: readonly CellStep[] = [
  ask('elicitation/create', 'a form is accepted', ['form'], {
    action: 'accept',
    content: { name: 'Ada' },
  }),
  ask('elicitation/create', 'a form is declined', ['form'], { action: 'decline' }),
  ask('elicitation/create', 'a form is cancelled', ['form'], { action: 'cancel' }),
  ask('elicitation/create', 'a URL is opened', ['url'], { action: 'accept' }),
  ask('sampling/createMessage', 'a sampling is answered', ['sampling'], SAMPLED),
  ask('roots/list', 'roots are told', ['roots'], { roots: [{ uri: 'file:///home/me', name: 'me' }] }),
  {
    method: 'elicitation/create',
    does: 'two rounds of one call are answered',
    run(client) {
      client.respond('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } }));
      return client.call('ask_twice');
    },
  },
  {
    method: 'elicitation/create',
    does: 'progress keeps its token in a call that asks',
    run: call('ask', { kinds: ['form'] }, { onprogress: () => undefined }),
  },
];

function ask(method: string, does: string, kinds: readonly string[], answer: JsonObject): CellStep {
  return {
    method,
    does,
    run(client) {
      client.respond(method, () => answer);
      return client.call('ask', { kinds });
    },
  };
}

/** Resources, prompts and completions. */
const READS: readonly CellStep[] = [
  { method: 'resources/read', does: 'a resource is read', run: send('resources/read', { uri: MEMO }) },
  {
    method: 'resources/read',
    does: 'a resource of a template is read',
    run: send('resources/read', { uri: 'memo:///two' }),
  },
  {
    method: 'resources/read',
    does: 'an unknown resource is refused',
    run: send('resources/read', { uri: 'nowhere:///at-all' }),
  },
  {
    method: 'prompts/get',
    does: 'a prompt takes its arguments',
    run: (client) =>
      client.request('prompts/get', { name: client.named('greet'), arguments: { who: 'you' } }),
  },
  {
    method: 'prompts/get',
    does: 'a prompt without arguments comes back',
    run: (client) => client.request('prompts/get', { name: client.named('plain') }),
  },
  {
    method: 'prompts/get',
    does: 'an unknown prompt is refused',
    run: (client) => client.request('prompts/get', { name: client.named('nothing') }),
  },
  {
    method: 'completion/complete',
    does: 'an argument is completed',
    run: (client) =>
      client.request('completion/complete', {
        ref: { type: 'ref/prompt', name: client.named('greet') },
        argument: { name: 'who', value: 'al' },
      }),
  },
];

/** What a server tells of its own accord. */
const EVENTS: readonly CellStep[] = [
  {
    method: 'notifications/resources/updated',
    does: 'an update of a subscribed resource comes',
    async run(client) {
      await client.subscribe(MEMO);
      await client.call('touch', { uri: MEMO });
      await client.notified('notifications/resources/updated');
    },
  },
  {
    method: 'notifications/resources/updated',
    does: 'an update of another resource does not come',
    run: call('touch', { uri: 'memo:///other' }),
  },
  {
    method: 'resources/unsubscribe',
    does: 'no update comes after the end of a subscription',
    async run(client) {
      await client.unsubscribe(MEMO);
      await client.call('touch', { uri: MEMO });
    },
  },
  {
    method: 'notifications/message',
    does: 'without a level of the client a log message comes to legacy clients alone',
    run: call('log', { level: 'error' }),
  },
  {
    method: 'notifications/message',
    does: 'a log message from the level on comes, one below does not',
    async run(client) {
      await client.logging('warning');
      await client.logged('info');
      await client.logged('error');
    },
  },
  {
    method: 'notifications/tools/list_changed',
    does: 'a new tool is announced, listed and called',
    async run(client) {
      await client.call('add_tool', { name: 'late' });
      await client.listChanged('tools');
      await client.request('tools/list');
      await client.call('late');
    },
  },
];

/** All steps; the first one connects. */
export const CELL_STEPS: readonly CellStep[] = [...LISTS, ...CALLS, ...QUESTIONS, ...READS, ...EVENTS];
