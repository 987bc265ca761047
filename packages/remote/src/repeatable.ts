import type { RemoteMessage } from './remote-transport.js';

/** Methods whose requests can safely be sent twice. Tool calls are excluded. */
const REPEATABLE_METHODS = new Set([
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

/** True if a message can be sent again although the server may have received it. False if this may do harm. */
export function isRepeatable({ id, method }: RemoteMessage): boolean {
  return id === undefined || method === undefined || REPEATABLE_METHODS.has(method);
}
