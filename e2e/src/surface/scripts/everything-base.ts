import type { Step } from '../script.js';

/** Connecting, pings, and what nobody knows. */
export const BASE_STEPS: readonly Step[] = [
  {
    row: 'A2',
    method: 'initialize',
    does: 'the server introduces itself, and asks the client for its roots',
    rules: ['server info', 'instructions', 'logger label'],
    async run(client) {
      client.respond('roots/list', () => ({ roots: [{ uri: 'file:///home/me/one', name: 'one' }] }));
      await client.notified('notifications/message');
    },
  },
  {
    row: 'S12',
    method: 'ping',
    does: 'a ping of the client is answered',
    run: (client) => client.settled(client.sdk.ping()),
  },
  {
    row: 'S12',
    method: 'x/unknown',
    does: 'a method that nobody knows is answered with -32601',
    run: (client) => client.raw('x/unknown', { 'x-field': 1 }),
  },
  {
    row: 'S12',
    method: 'notifications/x',
    does: 'a notification that nobody knows does no harm',
    run: (client) => Promise.resolve(client.notify('notifications/x', { 'x-field': 1 })),
  },
];
