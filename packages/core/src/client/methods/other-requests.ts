import { quote } from '@mcpmux/kit';
import { type Edit, ErrorCode, errorLine, type ParamSpans, paramText, splice } from '@mcpmux/wire';
import {
  routeOther,
  type ClientMessage,
  type UnknownMethodRoute,
} from '../../catalog/routing/route-other.js';
import { RELATED_TASK_PATH } from '../../server/link/server-paths.js';
import type { Caller } from '../caller/caller.js';
import type { Exchange } from '../request/exchange.js';
import { forward } from '../request/forward.js';
import type { MethodParts } from './handler.js';
import { clientTaskId } from '../../server/client-task-id.js';

/** Forwards a request with an unknown method to the server that its params or method identify, or else rejects it. */
export function forwardOtherRequest(exchange: Exchange, parts: MethodParts): void {
  const { id, method, params, caller } = exchange;
  const { directory, catalog } = caller.view;
  const route = routeOther(exchange, directory, catalog.knownUris);
  if (route !== undefined && namesForeignTask(exchange, route, caller, parts))
    return exchange.rejectParams(`Unknown task ${quote(exchange.textAt('taskId')?.text ?? '')}`);
  if (route !== undefined)
    return forward(exchange, route.upstream, parts, { edits: localEdits(route, params), subject: method });
  const message = `Unknown method ${quote(method)}`;
  exchange.respond(errorLine(id, { code: ErrorCode.MethodNotFound, message }));
}

/** Forwards an unknown notification like {@link forwardOtherRequest}, but drops it if it does not identify a server. */
export function forwardOtherNotification(
  message: ClientMessage,
  caller: Caller,
  parts: Pick<MethodParts, 'affinity'>,
): void {
  const { directory, catalog } = caller.view;
  const route = routeOther(message, directory, catalog.knownUris);
  if (route !== undefined && namesForeignTask(message, route, caller, parts)) return;
  route?.upstream.connectionFor(caller)?.send(splice(message.line, localEdits(route, message.params)));
}

/** True if a message names another client's task, by the id that clients know or by the server's own id. */
function namesForeignTask(
  message: ClientMessage,
  { upstream }: UnknownMethodRoute,
  caller: Caller,
  { affinity }: Pick<MethodParts, 'affinity'>,
): boolean {
  return ['taskId', RELATED_TASK_PATH].some((path) => {
    const id = paramText(message.line, message, path);
    if (id === undefined) return false;
    // Both forms are checked: if the server is itself an mcpmux, its own ids look like the ids for clients.
    const ids = [id, clientTaskId(upstream, id)];
    return ids.some((each) => affinity.isKnownForeignTask(caller, upstream, each));
  });
}

function localEdits({ localValues }: UnknownMethodRoute, params: ParamSpans): readonly Edit[] {
  return [...localValues].flatMap(([path, local]) => {
    const span = params.get(path);
    return span === undefined ? [] : [{ span, bytes: JSON.stringify(local) }];
  });
}
