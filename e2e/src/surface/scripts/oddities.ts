import type { Script, Step } from '../script.js';
import { fixtureProgram, HANDSHAKE } from './fixture-program.js';

const LOGGING_STEPS: readonly Step[] = [
  HANDSHAKE,
  {
    row: 'S4',
    method: 'notifications/message',
    does: 'before a level is set, all that the server sends arrives',
    rules: ['logger label'],
    run: (client) => client.call('log_all'),
  },
  {
    row: 'S4',
    method: 'logging/setLevel',
    does: 'the level reaches the server, and messages below it do not arrive',
    rules: ['logger label'],
    async run(client) {
      await client.raw('logging/setLevel', { level: 'error' });
      await client.call('log_all');
      await client.call('levels');
    },
  },
  {
    row: 'S4',
    method: 'notifications/message',
    does: 'data and logger arrive as they are',
    rules: ['logger label'],
    run: (client) =>
      client.call('log', { level: 'alert', logger: 'db/pool', data: { a: [1, null], 'x-y': {} } }),
  },
];

const UNKNOWN_STEPS: readonly Step[] = [
  { ...HANDSHAKE, rules: [...HANDSHAKE.rules, 'late extensions'] },
  {
    row: 'S12',
    method: 'tools/list',
    does: 'unknown members of a tool survive',
    rules: ['own tools', 'prefix'],
    run: (client) => client.raw('tools/list'),
  },
  {
    row: 'S12',
    method: 'tools/call',
    does: 'unknown notifications, members and content survive',
    run: (client) => client.call('shout'),
  },
  {
    row: 'S12',
    method: 'x/y',
    does: 'a method that only the server knows reaches it as it is',
    rules: ['request ids'],
    run: (client) => client.raw('x/y', { 'x-one': 1, nested: { uri: 'u:///', list: [null] } }),
  },
  {
    row: 'S12',
    method: 'notifications/vendor.example/x',
    does: 'a notification that only the server knows reaches it as it is',
    rules: ['request ids'],
    async run(client) {
      client.notify('notifications/vendor.example/x', { 'x-one': 1 });
      await client.call('heard');
    },
  },
];

/** Log messages of every level. */
export const LOGGING: Script = {
  server: 'logging',
  program: fixtureProgram('logging'),
  fence: { tool: 'levels', args: {} },
  steps: LOGGING_STEPS,
};

/** What no specification has. */
export const UNKNOWNS: Script = {
  server: 'unknowns',
  program: fixtureProgram('unknowns'),
  fence: { tool: 'heard', args: {} },
  steps: UNKNOWN_STEPS,
};
