import { LIST_KINDS, LISTS } from '../../upstream/lists/list-kind.js';
import { complete } from './completion.js';
import type { Handler } from './handler.js';
import { listHandler } from './list-pages.js';
import { getPrompt } from './prompt-getter.js';
import { readResource } from './resource-requests.js';
import { callTool } from './tool-calls.js';

/** The list methods, which are answered at once. */
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
]);
