import type { Message } from '../wire/message.js';

/** What kinds of client messages there are for a multiplexer. Which server a call goes to is decided elsewhere. */
export type ClientRoute =
  | 'initialize'
  | 'ping'
  | 'list-tools'
  | 'call-tool'
  | 'initialized'
  | 'cancelled'
  | 'unknown-method'
  | 'ignored';

const REQUESTS: ReadonlyMap<string, ClientRoute> = new Map([
  ['initialize', 'initialize'],
  ['ping', 'ping'],
  ['tools/list', 'list-tools'],
  ['tools/call', 'call-tool'],
]);

const NOTIFICATIONS: ReadonlyMap<string, ClientRoute> = new Map([
  ['notifications/initialized', 'initialized'],
  ['notifications/cancelled', 'cancelled'],
]);

/** Routes a client's request or notification by its method. Unknown notifications have no answer and are ignored. */
export function routeMessage(message: Extract<Message, { kind: 'request' | 'notification' }>): ClientRoute {
  if (message.kind === 'request') return REQUESTS.get(message.method) ?? 'unknown-method';
  return NOTIFICATIONS.get(message.method) ?? 'ignored';
}
