import { type Edit, resultLine } from '@mcpmux/wire';
import type { OwnedResource } from '../../catalog/resource-names.js';
import type { MethodParts } from '../methods/handler.js';
import { routeByUri, uriEdits, type RoutedUri } from '../methods/resource-requests.js';
import type { Exchange } from '../request/exchange.js';
import { forward } from '../request/forward.js';

/** Handles `resources/subscribe`. */
export function subscribe(exchange: Exchange, parts: MethodParts): void | Promise<void> {
  const routed = routeByUri(exchange);
  if (routed === undefined) return;
  const resource = resourceOf(routed);
  if (usesListen(resource)) return subscribeShared(exchange, resource, parts);
  parts.subscriptions.subscribe(exchange, resource, (confirm) => {
    const read = (): readonly Edit[] => {
      confirm();
      return [];
    };
    forward(exchange, resource.upstream, parts, { edits: uriEdits(routed.uri, resource), readers: [read] });
  });
}

/** Handles `resources/unsubscribe`. */
export function unsubscribe(exchange: Exchange, parts: MethodParts): void | Promise<void> {
  const routed = routeByUri(exchange);
  if (routed === undefined) return;
  const resource = resourceOf(routed);
  if (usesListen(resource)) return unsubscribeShared(exchange, resource, parts);
  parts.subscriptions.unsubscribe(exchange, resource, () =>
    forward(exchange, resource.upstream, parts, { edits: uriEdits(routed.uri, resource) }),
  );
}

/** True for a modern server, which has one shared `subscriptions/listen` instead of `resources/subscribe`. */
function usesListen({ upstream }: OwnedResource): boolean {
  return upstream.connection?.dialect.era === 'modern';
}

async function subscribeShared(
  exchange: Exchange,
  resource: OwnedResource,
  parts: MethodParts,
): Promise<void> {
  exchange.onAbort(() => undefined);
  const isSubscribed = await parts.subscriptions.acquire(exchange.caller, resource);
  if (isSubscribed) return exchange.respond(resultLine(exchange.id, '{}'));
  exchange.rejectParams(`Server "${resource.upstream.name}" does not tell of changes to this resource`, {
    uri: resource.uri,
  });
}

async function unsubscribeShared(
  exchange: Exchange,
  resource: OwnedResource,
  parts: MethodParts,
): Promise<void> {
  // Even if the server rejects the request, the client gets no more notifications for the resource.
  await parts.subscriptions.release(exchange.caller, resource).catch(() => undefined);
  exchange.respond(resultLine(exchange.id, '{}'));
}

/**
 * Returns the resource and its server. If the owner is unknown, returns the likeliest server, which rejects the request
 * if it does not have the resource.
 */
function resourceOf({ route, uri }: RoutedUri): OwnedResource {
  if (route.kind === 'owner') return route.resource;
  const [likeliest] = route.upstreams;
  if (likeliest === undefined) throw new Error('a route without candidates');
  return { upstream: likeliest, uri: uri.text };
}
