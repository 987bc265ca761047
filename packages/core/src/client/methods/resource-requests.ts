import { quote } from '@mcpmux/kit';
import { type Edit, resultLine } from '@mcpmux/wire';

import type { OwnedResource } from '../../catalog/resource-names.js';
import { routeResource, type ResourceRoute } from '../../catalog/routing/route-resource.js';
import type { Exchange, TextParam } from '../request/exchange.js';
import { FallbackRead } from '../request/fallback-read.js';
import { forward } from '../request/forward.js';
import { resourceEdits, aliasedResourceReader } from '../request/result-reader.js';
import type { MethodParts } from './handler.js';
import { OVERVIEW_URI } from '../../catalog/own-tool.js';
import { APP_TYPE, supportsApps } from '../../server/dialect/client-requests.js';

/** The URI in a request and the route for it. */
export interface RoutedUri {
  readonly uri: TextParam;
  readonly route: Exclude<ResourceRoute, { kind: 'unknown' }>;
}

/** Handles `resources/read`. */
export function readResource(exchange: Exchange, parts: MethodParts): void | Promise<void> {
  const appAnswer = readOwnApp(exchange, parts);
  if (appAnswer !== undefined) return appAnswer;
  const routed = routeByUri(exchange);
  if (routed === undefined) return;
  const { route, uri } = routed;
  if (route.kind !== 'owner') {
    new FallbackRead(exchange, parts).start(route.upstreams);
    return undefined;
  }
  const { resource } = route;
  forward(exchange, resource.upstream, parts, {
    edits: uriEdits(uri, resource),
    readers: [resource.uri === uri.text ? resourceEdits : aliasedResourceReader(resource.uri, uri.text)],
    subject: resource.uri,
  });
}

/**
 * Returns the route for a request's URI. Rejects the request if the URI is missing or no server can have the resource.
 */
export function routeByUri(exchange: Exchange): RoutedUri | undefined {
  const { directory, catalog } = exchange.caller.view;
  const uri = exchange.textAt('uri');
  if (uri === undefined) {
    exchange.rejectParams('params.uri must be a string');
    return undefined;
  }
  const route = routeResource(uri.text, directory.snapshot(), catalog.knownUris);
  if (route.kind !== 'unknown') return { uri, route };
  const message = `Resource ${quote(uri.text)} not found: no running server has resources`;
  exchange.rejectParams(message, { uri: uri.text });
  return undefined;
}

/** Returns the edit that replaces the client's URI with the server's own. */
export function uriEdits({ text, span }: TextParam, { uri }: OwnedResource): readonly Edit[] {
  return uri === text ? [] : [{ span, bytes: JSON.stringify(uri) }];
}

/**
 * Answers a request for mcpmux's own MCP App.
 *
 * @returns undefined if the URI is not the app's or the client does not support MCP Apps; the URI then identifies a
 * server's resource
 */
export function readOwnApp(
  exchange: Exchange,
  { overviewApp }: Pick<MethodParts, 'overviewApp'>,
): Promise<void> | undefined {
  const { profile } = exchange.caller;
  if (overviewApp === undefined || exchange.textAt('uri')?.text !== OVERVIEW_URI) return undefined;
  if (!supportsApps(profile?.capabilities ?? {})) return undefined;
  return answerWithApp(exchange, overviewApp);
}

async function answerWithApp(exchange: Exchange, overviewApp: () => Promise<string>): Promise<void> {
  const text = await overviewApp();
  const content = { uri: OVERVIEW_URI, mimeType: APP_TYPE, text, _meta: { ui: { prefersBorder: true } } };
  exchange.respond(resultLine(exchange.id, JSON.stringify({ contents: [content] })));
}
