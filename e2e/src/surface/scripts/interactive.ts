import type { JsonObject } from '../outcome.js';
import type { Script, Step } from '../script.js';
import { refusal, type SurfaceClient } from '../surface-client.js';
import { fixtureProgram, HANDSHAKE } from './fixture-program.js';

const SAMPLING = 'sampling/createMessage';
const ELICITATION = 'elicitation/create';
const MESSAGES = { messages: [{ role: 'user', content: { type: 'text', text: 'well?' } }], maxTokens: 7 };
const FORM = { mode: 'form', message: 'Well?', requestedSchema: { type: 'object', properties: {} } };

function ask(client: SurfaceClient, method: string, params: JsonObject = {}): Promise<unknown> {
  return client.call('ask', { method, params });
}

/** A sampling during which the client reports progress under the token of the server. */
function progress(progressToken: string | number): Step {
  return {
    row: 'S9',
    method: 'notifications/progress',
    does: `progress of the client reaches the server with the server's token ${JSON.stringify(progressToken)}`,
    rules: ['sampling label', 'progress token'],
    run(client) {
      client.respond(SAMPLING, ({ _meta: meta }) => {
        const token = (meta as JsonObject | undefined)?.['progressToken'];
        for (const done of [1, 2]) {
          client.notify('notifications/progress', { progressToken: token, progress: done, 'x-kept': true });
        }
        return { role: 'assistant', content: { type: 'text', text: 'fine' }, model: 'm' };
      });
      return ask(client, SAMPLING, { ...MESSAGES, _meta: { progressToken } });
    },
  };
}

/** Never answers; the SDK says nothing once the request is cancelled. */
function untilCancelled(_: JsonObject, signal: AbortSignal): Promise<JsonObject> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve({}));
  });
}

const STEPS: readonly Step[] = [
  HANDSHAKE,
  {
    row: 'S5',
    method: SAMPLING,
    does: 'unknown members of request and answer survive',
    rules: ['sampling label'],
    run(client) {
      client.respond(SAMPLING, ({ 'x-asked': asked = null }) => ({
        model: 'm',
        role: 'assistant',
        'x-echo': asked,
      }));
      return ask(client, SAMPLING, { ...MESSAGES, includeContext: 'thisServer', 'x-asked': [1, null] });
    },
  },
  ...[0, -1, '0', 'a token'].map(progress),
  {
    row: 'S7',
    method: ELICITATION,
    does: 'a refusal of the client reaches the server with its data',
    rules: ['elicitation label'],
    run(client) {
      client.respond(ELICITATION, () => {
        throw refusal(-32602, 'no such mode', { why: [1] });
      });
      return ask(client, ELICITATION, FORM);
    },
  },
  {
    row: 'S7',
    method: 'notifications/elicitation/complete',
    does: 'the end of an elicitation by URL is told to the client that was asked',
    rules: ['elicitation label'],
    async run(client) {
      client.respond(ELICITATION, () => ({ action: 'accept' }));
      const elicitationId = 'e-7';
      const params = { mode: 'url', message: 'Open', url: 'https://example.org/?q=%5B', elicitationId };
      await ask(client, ELICITATION, params);
      await client.call('notify', {
        method: 'notifications/elicitation/complete',
        params: { elicitationId },
      });
    },
  },
  {
    row: 'S6',
    method: 'roots/list',
    does: 'roots keep their unknown members',
    run(client) {
      client.respond('roots/list', () => ({ roots: [{ uri: 'file:///a', name: 'a', _meta: { k: 1 } }] }));
      return ask(client, 'roots/list');
    },
  },
  {
    row: 'S6',
    method: 'roots/list',
    does: 'a server that asks again gets the same answer',
    rules: ['cached roots'],
    run: (client) => ask(client, 'roots/list'),
  },
  {
    row: 'S12',
    method: 'ping',
    does: 'a ping of the server is answered',
    rules: ['local ping'],
    run: (client) => ask(client, 'ping'),
  },
  {
    row: 'S12',
    method: 'x/unknown',
    does: 'a request that nobody knows reaches the client, and its answer the server',
    run(client) {
      client.respond('x/unknown', (params) => ({ 'x-got': params }));
      return ask(client, 'x/unknown', { 'x-asked': true });
    },
  },
  {
    row: 'S12',
    method: 'notifications/vendor.example/x',
    does: 'a notification that nobody knows reaches the client',
    run: (client) => client.call('notify', { method: 'notifications/vendor.example/x', params: { k: [1] } }),
  },
  {
    row: 'S9',
    method: 'notifications/cancelled',
    does: 'the server cancels its request: the client is told, and its answer reaches nobody',
    rules: ['sampling label'],
    async run(client) {
      client.respond(SAMPLING, untilCancelled);
      await client.call('ask_and_cancel', { method: SAMPLING, params: MESSAGES });
      await client.notified('notifications/cancelled');
      await client.call('answers');
    },
  },
  {
    row: 'S5',
    method: SAMPLING,
    does: 'a server asks when no call is under way',
    rules: ['sampling label'],
    async run(client) {
      client.respond(SAMPLING, () => ({ model: 'm', role: 'assistant' }));
      await client.call('ask_later', { method: SAMPLING, params: MESSAGES });
      await client.notified('notifications/interactive/answered');
      await client.call('answers');
    },
  },
];

/** Every request and notification that a server can send. */
export const INTERACTIVE: Script = {
  server: 'interactive',
  program: fixtureProgram('interactive'),
  fence: { tool: 'answers', args: {} },
  steps: STEPS,
};
