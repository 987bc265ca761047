import type { Edit } from '@mcpmux/wire';
import type { OwnedResource } from '../../catalog/resource-names.js';
import type { MethodParts } from '../../downstream/methods/handler.js';
import { routedByUri, uriEdit, type Routed } from '../../downstream/methods/resource-requests.js';
import type { Exchange } from '../../downstream/request/exchange.js';
import { forward } from '../../downstream/request/forward.js';

/** Handles `resources/subscribe`. */
export function subscribe(exchange: Exchange, parts: MethodParts): void {
  const routed = routedByUri(exchange);
  if (routed === undefined) return;
  const resource = owned(routed);
  parts.subscriptions.subscribe(exchange, resource, (agreed) => {
    const readResult = (): readonly Edit[] => {
      agreed();
      return [];
    };
    forward(exchange, resource.upstream, parts, { edits: uriEdit(routed.uri, resource), readResult });
  });
}

/** Handles `resources/unsubscribe`. */
export function unsubscribe(exchange: Exchange, parts: MethodParts): void {
  const routed = routedByUri(exchange);
  if (routed === undefined) return;
  const resource = owned(routed);
  parts.subscriptions.unsubscribe(exchange, resource, () =>
    forward(exchange, resource.upstream, parts, { edits: uriEdit(routed.uri, resource) }),
  );
}

/** Subscriptions are never tried out on several servers: the likeliest one says whether it has such a resource. */
function owned({ route, uri }: Routed): OwnedResource {
  if (route.kind === 'owner') return route.resource;
  const [likeliest] = route.upstreams;
  if (likeliest === undefined) throw new Error('a route without candidates');
  return { upstream: likeliest, uri: uri.text };
}
