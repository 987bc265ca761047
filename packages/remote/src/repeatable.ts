import type { RemoteMessage } from './remote-transport.js';

/** Requests that change nothing, or for which twice is as once. A call of a tool is none of them. */
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

/** True for a message that may be sent again when nothing has told whether it has arrived: all but calls with effects. */
export function isRepeatable({ id, method }: RemoteMessage): boolean {
  return id === undefined || method === undefined || REPEATABLE.has(method);
}
