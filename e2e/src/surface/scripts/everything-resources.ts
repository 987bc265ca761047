import type { Step } from '../script.js';

const STATIC = 'demo://resource/static/document/features.md';
const DYNAMIC = 'demo://resource/dynamic';
const ZIPPED = 'demo://resource/session/note.gz';

/** Resources: list, read, subscribe, change. */
export const RESOURCE_STEPS: readonly Step[] = [
  {
    row: 'S1',
    method: 'resources/list',
    does: 'resources are listed unchanged',
    run: (client) => client.settled(client.sdk.listResources()),
  },
  {
    row: 'S1',
    method: 'resources/templates/list',
    does: 'templates are listed unchanged',
    run: (client) => client.settled(client.sdk.listResourceTemplates()),
  },
  {
    row: 'S1',
    method: 'resources/read',
    does: 'a listed resource is read',
    run: (client) => client.settled(client.sdk.readResource({ uri: STATIC })),
  },
  {
    row: 'S1',
    method: 'resources/read',
    does: 'a text resource of a template is read',
    rules: ['chance'],
    run: (client) => client.settled(client.sdk.readResource({ uri: `${DYNAMIC}/text/7` })),
  },
  {
    row: 'S1',
    method: 'resources/read',
    does: 'a binary resource of a template is read',
    rules: ['chance'],
    run: (client) => client.settled(client.sdk.readResource({ uri: `${DYNAMIC}/blob/7` })),
  },
  {
    row: 'S1',
    method: 'resources/read',
    does: 'a resource that no server has is refused in the words of the server that was asked',
    run: (client) => client.raw('resources/read', { uri: 'nowhere:///at-all' }),
  },
  {
    row: 'S1',
    method: 'resources/subscribe',
    does: 'a subscription reaches the server',
    rules: ['logger label'],
    run: (client) => client.settled(client.sdk.subscribeResource({ uri: STATIC })),
  },
  {
    row: 'S1',
    method: 'notifications/resources/updated',
    does: 'an update of a subscribed resource arrives with its URI',
    async run(client) {
      await client.call('toggle-subscriber-updates');
      await client.notified('notifications/resources/updated');
      await client.call('toggle-subscriber-updates');
    },
  },
  {
    row: 'S1',
    method: 'resources/unsubscribe',
    does: 'the end of a subscription reaches the server, and no update comes any more',
    rules: ['logger label'],
    async run(client) {
      await client.settled(client.sdk.unsubscribeResource({ uri: STATIC }));
      await client.call('toggle-subscriber-updates');
      await client.call('toggle-subscriber-updates');
    },
  },
  {
    row: 'S11',
    method: 'notifications/resources/list_changed',
    does: 'a resource that a tool adds is announced, linked, listed and read',
    async run(client) {
      const data = 'data:text/plain,note';
      await client.call('gzip-file-as-resource', { name: 'note.gz', data, outputType: 'resourceLink' });
      await client.listChanged('resources');
      await client.raw('resources/list');
      await client.raw('resources/read', { uri: ZIPPED });
    },
  },
];
