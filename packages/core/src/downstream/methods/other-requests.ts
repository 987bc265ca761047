import { type Edit, ErrorCode, errorLine, type ParamSpans, splice } from '@mcpmux/wire';
import type { CatalogView } from '../../catalog/catalog-view.js';
import { quote } from '../../routing/quote.js';
import { routeOther, type OtherMessage, type OtherRoute } from '../../routing/route-other.js';
import type { ServerDirectory } from '../../routing/route-named.js';
import type { ClientRequest, Outcome } from '../request/client-request.js';
import type { Forwarder } from '../request/forwarder.js';

/** Carries out a request whose method mcpmux does not know: it is brought to the one server it can be for. */
export function requestOther(
  request: ClientRequest,
  forwarder: Forwarder,
  directory: ServerDirectory,
  catalog: CatalogView,
): Outcome {
  const { id, method, params } = request;
  const route = routeOther(request, directory, catalog.learned);
  if (route !== undefined)
    return forwarder.forward(request, route.upstream, { edits: localEdits(route, params), subject: method });
  const message = `Unknown method ${quote(method)}`;
  return { answer: errorLine(id, { code: ErrorCode.MethodNotFound, message }) };
}

/** Brings a notification that mcpmux does not know to the one server it can be for. Without one nobody hears of it. */
export function notifyOther(message: OtherMessage, directory: ServerDirectory, catalog: CatalogView): void {
  const route = routeOther(message, directory, catalog.learned);
  route?.upstream.connection?.send(splice(message.line, localEdits(route, message.params)));
}

function localEdits({ locals }: OtherRoute, params: ParamSpans): readonly Edit[] {
  return [...locals].flatMap(([path, local]) => {
    const span = params.get(path);
    return span === undefined ? [] : [{ span, bytes: JSON.stringify(local) }];
  });
}
