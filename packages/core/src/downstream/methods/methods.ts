import { LIST_KINDS, LISTS } from '../../upstream/lists/list-kind.js';
import { complete } from './completion.js';
import type { Handler } from './handler.js';
import { listHandler } from './list-pages.js';
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

/** The methods that mcpmux knows (2025-11-25 and earlier revisions); all others are for a server to know. */
export const METHODS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
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
