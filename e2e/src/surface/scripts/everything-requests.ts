import type { Step } from '../script.js';
import { refusal, type SurfaceClient } from '../surface-client.js';

const SAMPLING = 'sampling/createMessage';
const ELICITATION = 'elicitation/create';
const ANSWER = {
  role: 'assistant',
  content: { type: 'text', text: 'fine' },
  model: 'm',
  'x-kept': 1,
} as const;
const URL_CALL = { url: 'https://example.org/a?b=%20c', message: 'Open it', elicitationId: 'e-1' };

function elicit(action: 'accept' | 'decline' | 'cancel'): Step {
  const content = { name: 'Ada', check: true, integer: 3 };
  return {
    row: 'S7',
    method: ELICITATION,
    does: `a form is shown, and ${action} reaches the server`,
    rules: ['elicitation label'],
    run(client) {
      client.respond(ELICITATION, () => ({ action, ...(action === 'accept' && { content }) }));
      return client.call('trigger-elicitation-request');
    },
  };
}

async function changeRoots(client: SurfaceClient): Promise<void> {
  client.respond('roots/list', () => ({
    roots: [{ uri: 'file:///home/me/one' }, { uri: 'file:///home/me/two', name: 'two', _meta: { k: 'v' } }],
  }));
  client.notify('notifications/roots/list_changed');
  await client.notified('notifications/message');
  await client.call('get-roots-list');
}

/** Requests of the server to its client. */
export const REQUEST_STEPS: readonly Step[] = [
  {
    row: 'S5',
    method: SAMPLING,
    does: 'a sampling reaches the client, and its answer the server',
    rules: ['sampling label'],
    run(client) {
      client.respond(SAMPLING, () => ANSWER);
      return client.call('trigger-sampling-request', { prompt: 'well?', maxTokens: 7 });
    },
  },
  {
    row: 'S5',
    method: SAMPLING,
    does: 'a refusal of the client reaches the server with its code and words',
    rules: ['sampling label'],
    run(client) {
      client.respond(SAMPLING, () => {
        throw refusal(-1, 'User rejected sampling request', { by: 'hand' });
      });
      return client.call('trigger-sampling-request', { prompt: 'well?' });
    },
  },
  elicit('accept'),
  elicit('decline'),
  elicit('cancel'),
  {
    row: 'S7',
    method: ELICITATION,
    does: 'a URL reaches the client unchanged',
    rules: ['elicitation label'],
    run(client) {
      client.respond(ELICITATION, () => ({ action: 'accept' }));
      return client.call('trigger-url-elicitation', URL_CALL);
    },
  },
  {
    row: 'S7',
    method: ELICITATION,
    does: 'the error that asks for a URL (-32042) arrives with its data, and a retry goes on',
    rules: ['elicitation label', 'chance'],
    async run(client) {
      await client.call('trigger-url-elicitation', { ...URL_CALL, errorPath: true });
      await client.call('trigger-url-elicitation', { ...URL_CALL, errorPath: true });
    },
  },
  {
    row: 'S6',
    method: 'roots/list',
    does: 'the server knows the roots of the client',
    run: (client) => client.call('get-roots-list'),
  },
  {
    row: 'S6',
    method: 'notifications/roots/list_changed',
    does: 'the server learns that the roots changed, and asks again',
    rules: ['logger label'],
    run: changeRoots,
  },
];
