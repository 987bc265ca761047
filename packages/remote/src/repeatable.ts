import type { RemoteMessage } from './remote-transport.js';

/** Requests that have no effects, or that have the same effect when sent twice. Tool calls are not among them. */
const REPEATABLE = new Set([
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'subscriptions/listen',
  'completion/complete',
  'logging/setLevel',
  'tasks/get',
  'tasks/list',
  'tasks/result',
  'tasks/cancel',
]);

/**
 * True for a message that may be sent again if its arrival is unknown. This applies to all messages except calls with
 * effects.
 */
export function isRepeatable({ id, method }: RemoteMessage): boolean {
  return id === undefined || method === undefined || REPEATABLE.has(method);
}
