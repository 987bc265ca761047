import { resultBytesLine } from '@mcpmux/wire';
import { LIST_KINDS, LISTS, type ListKind } from '../../server/lists/list-kind.js';
import { takesApps } from '../../server/dialect/client-requests.js';
import type { Exchange } from '../request/exchange.js';
import { complete } from './completion.js';
import type { Handler } from './handler.js';
import { getPrompt } from './prompt-getter.js';
import { readResource } from './resource-requests.js';
import { getSkill, listSkills } from './skill-requests.js';
import { callTool } from './tool-calls.js';

/** The list methods, which are answered at once; the first list of tools may wait for servers. */
export const LIST_HANDLERS: ReadonlyMap<string, Handler> = new Map(
  LIST_KINDS.map((kind) => [LISTS[kind].method, listHandler(kind)]),
);

/** The handlers of the methods that all eras share. */
export const COMMON_HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ...LIST_HANDLERS,
  ['tools/call', callTool],
  ['prompts/get', getPrompt],
  ['resources/read', readResource],
  ['completion/complete', complete],
  ['skills/list', listSkills],
  ['skills/get', getSkill],
]);

/** Answers requests for pages of a list. */
function listHandler(kind: ListKind): Handler {
  return (exchange) => {
    const ready = kind === 'tools' ? exchange.caller.firstTools() : undefined;
    if (ready === undefined) return answerList(kind, exchange);
    exchange.onAbort((why) => {
      if (why.kind === 'deadline') answerList(kind, exchange);
    });
    return ready.then(() => answerList(kind, exchange));
  };
}

function answerList(kind: ListKind, exchange: Exchange): void {
  // A client that has cancelled the request while it waited has read nothing.
  if (!exchange.isOpen) return;
  const { caller } = exchange;
  const cursor = exchange.text('cursor')?.text;
  const isNoText = cursor === undefined && exchange.params.has('cursor');
  const { catalog } = caller.view;
  const hasApps = takesApps(caller.profile?.capabilities ?? {});
  const page = isNoText ? undefined : catalog.list(kind, caller.era, hasApps).page(cursor);
  if (page === undefined) return exchange.refuseParams('Unknown cursor: list again without a cursor');
  exchange.respond(resultBytesLine(exchange.id, page));
  if (cursor === undefined) caller.listRead(kind);
  for (const upstream of catalog.snapshot().upstreams) upstream.refresh(kind);
}
