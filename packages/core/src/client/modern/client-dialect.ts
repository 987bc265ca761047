import { COMMON_HANDLERS } from '../methods/common-methods.js';
import type { RequestDialect } from '../methods/client-dialect.js';
import type { Handler } from '../methods/handler.js';
import type { SubjectKind } from '../request/request-subject.js';
import type { Implementation } from '../../server/dialect/server-identity.js';
import { discoverHandler } from './discover.js';
import { listen } from './listen.js';
import { forwardToTask } from './task-requests.js';

const DISCOVER = 'server/discover';
const TASK_REQUESTS = ['tasks/get', 'tasks/update', 'tasks/cancel'];

/** The request that stays open for notifications. */
export const LISTEN = 'subscriptions/listen';

/** Messages that belong to this era, or to any, even where they describe no client. */
export const IMPLIED: ReadonlySet<string> = new Set([DISCOVER, LISTEN, 'notifications/cancelled']);

/** Requests of the era before that this one has not. */
export const REMOVED: ReadonlySet<string> = new Set([
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
  'tasks/result',
  'tasks/list',
]);

/** Methods of this era that no guard sees. */
export const MODERN_UNGUARDED: readonly string[] = [DISCOVER];

/** The dialect of clients of the 2026-07-28 revision, to which mcpmux is `serverInfo`. */
export function modernDialect(serverInfo: Implementation): RequestDialect {
  return {
    era: 'modern',
    handlers: new Map<string, Handler>([
      ...COMMON_HANDLERS,
      [DISCOVER, discoverHandler(serverInfo)],
      [LISTEN, listen],
      ...TASK_REQUESTS.map((method) => [method, forwardToTask] as const),
    ]),
    instant: new Set([DISCOVER]),
    unguarded: MODERN_UNGUARDED,
    subjects: new Map<string, SubjectKind>([
      ...[DISCOVER, LISTEN].map((method) => [method, 'nothing'] as const),
      ...TASK_REQUESTS.map((method) => [method, 'task'] as const),
    ]),
  };
}
