import { resultBytesLine, type Edit, resultLine } from '@mcpmux/wire';

import { LIST_KINDS, LISTS, type ListKind } from '../../server/lists/list-kind.js';
import { supportsApps } from '../../server/dialect/client-requests.js';
import type { Exchange, TextParam } from '../request/exchange.js';
import type { Handler, MethodParts } from './handler.js';
import { readResource } from './resource-requests.js';
import { getSkill, listSkills } from './skill-requests.js';
import { callTool } from './tool-calls.js';
import { routeNamed } from '../../catalog/routing/route-named.js';
import { forward, handleWhenAwake } from '../request/forward.js';
import { resourceEdits } from '../request/result-reader.js';
import { maySupportCompletions } from '../../server/dialect/server-identity.js';
import { routeTemplate } from '../../catalog/routing/route-resource.js';
import type { Upstream } from '../../server/upstream.js';

/** The handlers for list methods. Only a client's first `tools/list` may wait for servers. */
export const LIST_HANDLERS: ReadonlyMap<string, Handler> = new Map(
  LIST_KINDS.map((kind) => [LISTS[kind].method, listHandler(kind)]),
);

/** The handlers of the methods that all eras share. */
export const COMMON_HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ...LIST_HANDLERS,
  ['tools/call', callTool],
  ['prompts/get', getPrompt],
  ['resources/read', readResource],
  ['completion/complete', completeArgument],
  ['skills/list', listSkills],
  ['skills/get', getSkill],
]);

/** The JSON values that count as a missing cursor, because some clients send the member with every request. */
const EMPTY_CURSORS: ReadonlySet<string> = new Set(['null', '""']);

/** True if a list request contains a cursor that is neither null nor empty. */
export function hasCursor({ params, line }: Exchange): boolean {
  const span = params.get('cursor');
  return span !== undefined && !EMPTY_CURSORS.has(line.toString('latin1', span.start, span.end));
}

function listHandler(kind: ListKind): Handler {
  return (exchange) => {
    const whenReady = kind === 'tools' ? exchange.caller.whenToolsReady() : undefined;
    if (whenReady === undefined) return answerList(kind, exchange);
    exchange.onAbort((why) => {
      if (why.kind === 'deadline') answerList(kind, exchange);
    });
    return whenReady.then(() => answerList(kind, exchange));
  };
}

function answerList(kind: ListKind, exchange: Exchange): void {
  // If the client cancelled the request during the wait, the list must not be recorded as read.
  if (!exchange.isOpen) return;
  const { caller } = exchange;
  const isPaged = hasCursor(exchange);
  const cursor = isPaged ? exchange.textAt('cursor')?.text : undefined;
  const { catalog } = caller.view;
  const { profile, era } = caller;
  const hasApps = supportsApps(profile?.capabilities ?? {});
  const page =
    isPaged && cursor === undefined
      ? undefined
      : catalog.list(kind, { era, hasApps, client: profile?.name }).pageAt(cursor);
  if (page === undefined) return exchange.rejectParams('Unknown cursor: list again without a cursor');
  exchange.respond(resultBytesLine(exchange.id, page));
  if (cursor === undefined) caller.recordListRead(kind);
  for (const upstream of catalog.snapshot().upstreams) upstream.refreshList(kind);
}

/** Handles `prompts/get`. */
export function getPrompt(exchange: Exchange, parts: MethodParts): void | Promise<void> {
  const name = exchange.textAt('name');
  if (name === undefined) return exchange.rejectParams('params.name must be a string');
  const { directory } = exchange.caller.view;
  const route = routeNamed(name.text, 'prompt', directory.snapshot().prompts, directory);
  switch (route.kind) {
    case 'forward': {
      const { upstream, definition } = route.entry;
      return forward(exchange, upstream, parts, {
        edits: [{ span: name.span, bytes: definition.keyJson }],
        readers: [resourceEdits],
        subject: definition.key,
      });
    }
    case 'unavailable':
      return handleWhenAwake(exchange, route.upstream, parts.handle);
    case 'unknown':
      return exchange.rejectParams(route.message);
  }
}

/** The result if the server does not support completions, or if no server has the template. */
const EMPTY_COMPLETION_RESULT = '{"completion":{"values":[]}}';

/** Handles `completion/complete` for an argument of a prompt or a variable of a resource template. */
export function completeArgument(exchange: Exchange, parts: MethodParts): void | Promise<void> {
  const name = exchange.textAt('ref.name');
  if (name !== undefined) return completePrompt(exchange, parts, name);
  const uri = exchange.textAt('ref.uri');
  if (uri === undefined) return exchange.rejectParams('params.ref must have a name or a uri');
  const { directory, catalog } = exchange.caller.view;
  const route = routeTemplate(uri.text, directory.snapshot(), catalog.knownUris);
  if (route.kind !== 'owner') return exchange.respond(resultLine(exchange.id, EMPTY_COMPLETION_RESULT));
  const { upstream, uri: own } = route.resource;
  const edits = own === uri.text ? [] : [{ span: uri.span, bytes: JSON.stringify(own) }];
  return askServer(exchange, parts, upstream, edits);
}

function completePrompt(exchange: Exchange, parts: MethodParts, name: TextParam): void | Promise<void> {
  const { directory } = exchange.caller.view;
  const route = routeNamed(name.text, 'prompt', directory.snapshot().prompts, directory);
  if (route.kind === 'unknown') return exchange.rejectParams(route.message);
  if (route.kind === 'unavailable') return handleWhenAwake(exchange, route.upstream, parts.handle);
  const { upstream, definition } = route.entry;
  return askServer(exchange, parts, upstream, [{ span: name.span, bytes: definition.keyJson }]);
}

function askServer(exchange: Exchange, parts: MethodParts, upstream: Upstream, edits: readonly Edit[]): void {
  const { identity, connection } = upstream;
  const isUnsupported = connection !== undefined && !maySupportCompletions(identity);
  if (isUnsupported) exchange.respond(resultLine(exchange.id, EMPTY_COMPLETION_RESULT));
  else forward(exchange, upstream, parts, { edits });
}
