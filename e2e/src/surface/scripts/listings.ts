import type { Script, Step } from '../script.js';
import { fixtureProgram, HANDSHAKE } from './fixture-program.js';

const FOLDER = 'memo:///folder';

const RESOURCE_STEPS: readonly Step[] = [
  HANDSHAKE,
  {
    row: 'S1',
    method: 'resources/read',
    does: 'what a template matches, what is listed and what is below it are read',
    async run(client) {
      for (const uri of ['memo:///one', 'template:///any', `${FOLDER}/below`]) {
        await client.raw('resources/read', { uri, 'x-kept': 1 });
      }
    },
  },
  {
    row: 'S1',
    method: 'tools/list',
    does: 'a tool keeps the URI of its user interface',
    rules: ['own tools', 'prefix'],
    run: (client) => client.raw('tools/list'),
  },
  {
    row: 'S1',
    method: 'resources/read',
    does: 'a resource that only a link names is read',
    async run(client) {
      await client.call('link', { uri: 'memo:///two' });
      await client.raw('resources/read', { uri: 'memo:///two' });
    },
  },
  {
    row: 'S1',
    method: 'notifications/resources/updated',
    does: 'a subscriber learns of a change below the resource',
    async run(client) {
      await client.raw('resources/subscribe', { uri: FOLDER });
      await client.call('touch', { uri: `${FOLDER}/file` });
      await client.call('subscriptions');
    },
  },
  {
    row: 'S1',
    method: 'resources/unsubscribe',
    does: 'nothing is told after the end of a subscription',
    async run(client) {
      await client.raw('resources/unsubscribe', { uri: FOLDER });
      await client.call('touch', { uri: `${FOLDER}/file` });
    },
  },
  {
    row: 'S11',
    method: 'notifications/resources/list_changed',
    does: 'a new resource is announced, listed and read',
    async run(client) {
      await client.call('add_resource', { uri: 'memo:///new' });
      await client.listChanged('resources');
      await client.raw('resources/list');
      await client.raw('resources/read', { uri: 'memo:///new' });
    },
  },
];

const PROMPT_STEPS: readonly Step[] = [
  HANDSHAKE,
  {
    row: 'S3',
    method: 'completion/complete',
    does: 'a template is found by its text',
    run: (client) =>
      client.raw('completion/complete', {
        ref: { type: 'ref/resource', uri: 'paint:///{colour}' },
        argument: { name: 'colour', value: 'r' },
      }),
  },
  {
    row: 'S11',
    method: 'notifications/prompts/list_changed',
    does: 'a new prompt is announced, listed, completed and got',
    rules: ['prefix'],
    async run(client) {
      await client.call('add_prompt', { name: 'bow' });
      await client.listChanged('prompts');
      await client.raw('prompts/list');
      const name = client.named('bow');
      const argument = { name: 'subject', value: 'g' };
      await client.raw('completion/complete', { ref: { type: 'ref/prompt', name }, argument });
      await client.raw('prompts/get', { name, arguments: { subject: 'all' }, 'x-kept': 1 });
    },
  },
];

/** Resources that change, and subscriptions. */
export const RESOURCES: Script = {
  server: 'resources-many',
  program: fixtureProgram('resources-many'),
  fence: { tool: 'subscriptions', args: {} },
  steps: RESOURCE_STEPS,
};

/** Prompts that change, and completions. */
export const PROMPTS: Script = {
  server: 'prompts-many',
  program: fixtureProgram('prompts-many'),
  fence: { tool: 'names', args: {} },
  steps: PROMPT_STEPS,
};
