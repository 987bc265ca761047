/** What kinds of requests of a client there are. Which server a call goes to is decided elsewhere. */
export type RequestRoute = 'initialize' | 'ping' | 'list-tools' | 'call-tool' | 'unknown-method';

const ROUTES: ReadonlyMap<string, RequestRoute> = new Map([
  ['initialize', 'initialize'],
  ['ping', 'ping'],
  ['tools/list', 'list-tools'],
  ['tools/call', 'call-tool'],
]);

/** Routes a client's request by its method. */
export function routeRequest(method: string): RequestRoute {
  return ROUTES.get(method) ?? 'unknown-method';
}

/** True for the one notification of a client that concerns requests in flight. All others have no answer. */
export function isCancellation(method: string): boolean {
  return method === 'notifications/cancelled';
}
