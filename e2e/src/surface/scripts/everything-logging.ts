import type { Step } from '../script.js';

/** Log messages and their level. */
export const LOGGING_STEPS: readonly Step[] = [
  {
    row: 'S4',
    method: 'logging/setLevel',
    does: 'a level is accepted',
    run: (client) => client.settled(client.sdk.setLoggingLevel('debug')),
  },
  {
    row: 'S4',
    method: 'notifications/message',
    does: 'a log message arrives',
    rules: ['logger label', 'chance'],
    async run(client) {
      await client.call('toggle-simulated-logging');
      await client.notified('notifications/message');
      await client.call('toggle-simulated-logging');
    },
  },
  {
    row: 'S4',
    method: 'logging/setLevel',
    does: 'a message below the level does not arrive',
    async run(client) {
      await client.raw('logging/setLevel', { level: 'warning' });
      await client.raw('resources/subscribe', { uri: 'demo://resource/static/document/features.md' });
      await client.raw('resources/unsubscribe', { uri: 'demo://resource/static/document/features.md' });
      await client.raw('logging/setLevel', { level: 'debug' });
    },
  },
  {
    row: 'S4',
    method: 'logging/setLevel',
    does: 'an unknown level is refused',
    rules: ['refusal'],
    run: (client) => client.raw('logging/setLevel', { level: 'loud' }),
  },
];
