import { LIST_KINDS, LISTS, type ListKind } from '../upstream/lists/list-kind.js';

/** What kinds of requests of a client there are. Which server a request goes to is decided elsewhere. */
export type RequestRoute =
  | { readonly kind: 'list'; readonly list: ListKind }
  | {
      readonly kind:
        | 'initialize'
        | 'ping'
        | 'call-tool'
        | 'get-prompt'
        | 'read-resource'
        | 'subscribe'
        | 'unsubscribe'
        | 'complete'
        | 'set-level'
        | 'task'
        | 'list-tasks'
        | 'other';
    };

const ROUTES: ReadonlyMap<string, RequestRoute> = new Map<string, RequestRoute>([
  ['initialize', { kind: 'initialize' }],
  ['ping', { kind: 'ping' }],
  ...LIST_KINDS.map((list) => [LISTS[list].method, { kind: 'list', list }] as const),
  ['tools/call', { kind: 'call-tool' }],
  ['prompts/get', { kind: 'get-prompt' }],
  ['resources/read', { kind: 'read-resource' }],
  ['resources/subscribe', { kind: 'subscribe' }],
  ['resources/unsubscribe', { kind: 'unsubscribe' }],
  ['completion/complete', { kind: 'complete' }],
  ['logging/setLevel', { kind: 'set-level' }],
  ['tasks/get', { kind: 'task' }],
  ['tasks/result', { kind: 'task' }],
  ['tasks/cancel', { kind: 'task' }],
  ['tasks/list', { kind: 'list-tasks' }],
]);

const OTHER: RequestRoute = { kind: 'other' };

/** Routes a client's request by its method. */
export function routeRequest(method: string): RequestRoute {
  return ROUTES.get(method) ?? OTHER;
}
