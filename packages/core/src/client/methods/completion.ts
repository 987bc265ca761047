import { type Edit, resultLine } from '@mcpmux/wire';
import { mayComplete } from '../../server/dialect/server-identity.js';
import { routeNamed } from '../../catalog/routing/route-named.js';
import { routeTemplate } from '../../catalog/routing/route-resource.js';
import type { Upstream } from '../../server/upstream.js';
import type { Exchange, TextParam } from '../request/exchange.js';
import { forward } from '../request/forward.js';
import { whenAwake } from '../request/when-awake.js';
import type { MethodParts } from './handler.js';

/** The answer of a server without completions, if it could give one. */
const NOTHING_TO_COMPLETE = '{"completion":{"values":[]}}';

/** Handles `completion/complete`, for an argument of a prompt or a variable of a resource template. */
export function complete(exchange: Exchange, parts: MethodParts): void | Promise<void> {
  const name = exchange.text('ref.name');
  if (name !== undefined) return completePrompt(exchange, parts, name);
  const uri = exchange.text('ref.uri');
  if (uri === undefined) return exchange.refuseParams('params.ref must have a name or a uri');
  const { directory, catalog } = exchange.caller.view;
  const route = routeTemplate(uri.text, directory.snapshot(), catalog.learned);
  if (route.kind !== 'owner') return exchange.respond(resultLine(exchange.id, NOTHING_TO_COMPLETE));
  const { upstream, uri: own } = route.resource;
  const edits = own === uri.text ? [] : [{ span: uri.span, bytes: JSON.stringify(own) }];
  return ask(exchange, parts, upstream, edits);
}

function completePrompt(exchange: Exchange, parts: MethodParts, name: TextParam): void | Promise<void> {
  const { directory } = exchange.caller.view;
  const route = routeNamed(name.text, 'prompt', directory.snapshot().prompts, directory);
  if (route.kind === 'unknown') return exchange.refuseParams(route.message);
  if (route.kind === 'unavailable') return whenAwake(exchange, route.upstream, parts.handle);
  const { upstream, definition } = route.entry;
  return ask(exchange, parts, upstream, [{ span: name.span, bytes: definition.keyJson }]);
}

function ask(exchange: Exchange, parts: MethodParts, upstream: Upstream, edits: readonly Edit[]): void {
  const { identity, connection } = upstream;
  const cannot = connection !== undefined && !mayComplete(identity);
  if (cannot) exchange.respond(resultLine(exchange.id, NOTHING_TO_COMPLETE));
  else forward(exchange, upstream, parts, { edits });
}
