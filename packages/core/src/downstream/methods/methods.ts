import { ErrorCode, errorLine } from '@mcpmux/wire';
import { messageOf } from '../../base/errors.js';
import { LIST_KINDS, LISTS } from '../../upstream/lists/list-kind.js';
import type { Exchange } from '../request/exchange.js';
import { complete } from './completion.js';
import type { Handler, MethodParts } from './handler.js';
import { listHandler } from './list-pages.js';
import { requestOther } from './other-requests.js';
import { getPrompt } from './prompt-getter.js';
import { readResource, subscribe, unsubscribe } from './resource-requests.js';
import { initialize, ping, setLevel } from './session-requests.js';
import { forwardToTask, listTasks } from './task-requests.js';
import { callTool } from './tool-calls.js';

/** Answered at once: none of these adds to what a client has in flight. */
const INSTANT: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['initialize', initialize],
  ['ping', ping],
  ['logging/setLevel', setLevel],
  ...LIST_KINDS.map((kind) => [LISTS[kind].method, listHandler(kind)] as const),
]);

/** The methods that mcpmux knows (2025-11-25 and earlier revisions). */
const METHODS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ...INSTANT,
  ['tools/call', callTool],
  ['prompts/get', getPrompt],
  ['resources/read', readResource],
  ['resources/subscribe', subscribe],
  ['resources/unsubscribe', unsubscribe],
  ['completion/complete', complete],
  ['tasks/get', forwardToTask],
  ['tasks/result', forwardToTask],
  ['tasks/cancel', forwardToTask],
  ['tasks/list', listTasks],
]);

/** Whether requests of this method are answered at once. */
export function isInstant(method: string): boolean {
  return INSTANT.has(method);
}

/** Handles a request by its method; one that mcpmux does not know goes to the one server that it can be for. */
export function handleExchange(exchange: Exchange, parts: MethodParts): void {
  const handler = METHODS.get(exchange.method) ?? requestOther;
  const handled = handler(exchange, parts);
  handled?.catch((error: unknown) => {
    const message = messageOf(error);
    exchange.respond(errorLine(exchange.id, { code: ErrorCode.InternalError, message }));
  });
}
