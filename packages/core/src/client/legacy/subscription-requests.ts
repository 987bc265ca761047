import { type Edit, resultLine } from '@mcpmux/wire';
import type { OwnedResource } from '../../catalog/resource-names.js';
import type { MethodParts } from '../methods/handler.js';
import { routedByUri, uriEdit, type Routed } from '../methods/resource-requests.js';
import type { Exchange } from '../request/exchange.js';
import { forward } from '../request/forward.js';

/** Handles `resources/subscribe`. */
export function subscribe(exchange: Exchange, parts: MethodParts): void | Promise<void> {
  const routed = routedByUri(exchange);
  if (routed === undefined) return;
  const resource = owned(routed);
  if (listens(resource)) return hold(exchange, resource, parts);
  parts.subscriptions.subscribe(exchange, resource, (agreed) => {
    const read = (): readonly Edit[] => {
      agreed();
      return [];
    };
    forward(exchange, resource.upstream, parts, { edits: uriEdit(routed.uri, resource), readers: [read] });
  });
}

/** Handles `resources/unsubscribe`. */
export function unsubscribe(exchange: Exchange, parts: MethodParts): void | Promise<void> {
  const routed = routedByUri(exchange);
  if (routed === undefined) return;
  const resource = owned(routed);
  if (listens(resource)) return letGo(exchange, resource, parts);
  parts.subscriptions.unsubscribe(exchange, resource, () =>
    forward(exchange, resource.upstream, parts, { edits: uriEdit(routed.uri, resource) }),
  );
}

/** True if the resource's server has no subscribe requests. mcpmux then listens to the server for all clients. */
function listens({ upstream }: OwnedResource): boolean {
  return upstream.connection?.dialect.era === 'modern';
}

async function hold(exchange: Exchange, resource: OwnedResource, parts: MethodParts): Promise<void> {
  exchange.onAbort(() => undefined);
  const isHeld = await parts.subscriptions.hold(exchange.caller, resource);
  if (isHeld) return exchange.respond(resultLine(exchange.id, '{}'));
  exchange.refuseParams(`Server "${resource.upstream.name}" does not tell of changes to this resource`, {
    uri: resource.uri,
  });
}

async function letGo(exchange: Exchange, resource: OwnedResource, parts: MethodParts): Promise<void> {
  // The client gets no more notifications for the resource, whatever the server answers.
  await parts.subscriptions.letGo(exchange.caller, resource).catch(() => undefined);
  exchange.respond(resultLine(exchange.id, '{}'));
}

/**
 * Returns the resource to subscribe to. mcpmux does not try a subscription on several servers. The likeliest server
 * reports whether it has the resource.
 */
function owned({ route, uri }: Routed): OwnedResource {
  if (route.kind === 'owner') return route.resource;
  const [likeliest] = route.upstreams;
  if (likeliest === undefined) throw new Error('a route without candidates');
  return { upstream: likeliest, uri: uri.text };
}
