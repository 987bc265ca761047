import { type Edit, ErrorCode, errorLine, type ParamSpans, splice } from '@mcpmux/wire';
import { quote } from '../../base/quote.js';
import { routeOther, type OtherMessage, type OtherRoute } from '../../routing/route-other.js';
import type { Sources } from '../caller/caller-view.js';
import type { Exchange } from '../request/exchange.js';
import { forward } from '../request/forward.js';
import type { MethodParts } from './handler.js';

/** Handles a request whose method mcpmux does not know: it is brought to the one server it can be for. */
export function requestOther(exchange: Exchange, parts: MethodParts): void {
  const { id, method, params, caller } = exchange;
  const { directory, catalog } = caller.view;
  const route = routeOther(exchange, directory, catalog.learned);
  if (route !== undefined)
    return forward(exchange, route.upstream, parts, { edits: localEdits(route, params), subject: method });
  const message = `Unknown method ${quote(method)}`;
  exchange.respond(errorLine(id, { code: ErrorCode.MethodNotFound, message }));
}

/** Brings a notification that mcpmux does not know to the one server it can be for. Without one nobody hears of it. */
export function notifyOther(message: OtherMessage, { directory, catalog }: Sources): void {
  const route = routeOther(message, directory, catalog.learned);
  route?.upstream.connection?.send(splice(message.line, localEdits(route, message.params)));
}

function localEdits({ locals }: OtherRoute, params: ParamSpans): readonly Edit[] {
  return [...locals].flatMap(([path, local]) => {
    const span = params.get(path);
    return span === undefined ? [] : [{ span, bytes: JSON.stringify(local) }];
  });
}
