import { INITIALIZE, LISTEN, SET_LEVEL, SUBSCRIBE, UNSUBSCRIBE } from '@mcpmux/kit';
import { errorLine, resultLine } from '@mcpmux/wire';

import { COMMON_HANDLERS } from '../methods/common-methods.js';
import type { RequestDialect } from '../methods/client-dialect.js';
import type { Handler, MethodParts } from '../methods/handler.js';
import type { SubjectKind } from '../request/request-subject.js';
import type { Implementation } from '../../server/dialect/server-identity.js';
import { listen } from './listen.js';
import { routeTask } from '../methods/task-route.js';
import type { Caller } from '../caller/caller.js';
import type { Exchange } from '../request/exchange.js';
import { forward } from '../request/forward.js';
import { declaresTasks, tasksRequiredError, withTasks } from '../../server/dialect/tasks-extension.js';
import { byUsage } from '../caller/by-usage.js';
import type { Upstream } from '../../server/upstream.js';
import {
  DECLARED_CAPABILITIES,
  experimentalCapabilities,
  instructionsOf,
  union,
} from '../legacy/initialize-result.js';
import { MODERN_VERSIONS } from '../../server/dialect/revisions.js';
import { SERVER_INFO_KEY } from './own-answers.js';

const DISCOVER = 'server/discover';
const TASK_METHODS = ['tasks/get', 'tasks/update', 'tasks/cancel'];

/** The methods that mark a message as modern even if the message does not describe its client. */
export const MODERN_METHODS: ReadonlySet<string> = new Set([DISCOVER, LISTEN, 'notifications/cancelled']);

/** The legacy methods that the modern era has removed. */
export const REMOVED_METHODS: ReadonlySet<string> = new Set([
  INITIALIZE,
  'ping',
  SET_LEVEL,
  SUBSCRIBE,
  UNSUBSCRIBE,
  'tasks/result',
  'tasks/list',
]);

/** The modern methods that bypass the guards. */
export const MODERN_UNGUARDED_METHODS: readonly string[] = [DISCOVER];

/** Returns the dialect for clients that use revision 2026-07-28. `serverInfo` describes mcpmux. */
export function modernDialect(serverInfo: Implementation): RequestDialect {
  return {
    era: 'modern',
    handlers: new Map<string, Handler>([
      ...COMMON_HANDLERS,
      [DISCOVER, discoverHandler(serverInfo)],
      [LISTEN, listen],
      ...TASK_METHODS.map((method) => [method, forwardTaskRequest] as const),
    ]),
    immediateMethods: new Set([DISCOVER]),
    unguardedMethods: MODERN_UNGUARDED_METHODS,
    subjectKinds: new Map<string, SubjectKind>([
      ...[DISCOVER, LISTEN].map((method) => [method, 'nothing'] as const),
      ...TASK_METHODS.map((method) => [method, 'task'] as const),
    ]),
  };
}

/** Forwards a `tasks/get`, `tasks/update` or `tasks/cancel` request to the server that the task id names. */
export function forwardTaskRequest(exchange: Exchange, parts: MethodParts): void {
  const { caller, id } = exchange;
  if (!declaresTasks(caller.profile?.capabilities))
    return exchange.respond(errorLine(id, tasksRequiredError()));
  const task = routeTask(exchange, parts.affinity);
  if (task !== undefined)
    forward(exchange, task.upstream, parts, { edits: task.edits, subject: task.localId });
}

/** Returns the handler of `server/discover`, which neither waits for servers nor starts them. */
export function discoverHandler(serverInfo: Implementation): Handler {
  return (exchange) => {
    const { id, caller } = exchange;
    const visibleServers = caller.layer.list().filter(caller.view.sees);
    const servers = byUsage(visibleServers, caller);
    exchange.respond(resultLine(id, discoverResultJson(serverInfo, servers, caller)));
  };
}

/** Returns the DiscoverResult as JSON. It must not be cached, because servers may be added or removed at any time. */
function discoverResultJson(
  serverInfo: Implementation,
  upstreams: readonly Upstream[],
  { view, profile }: Pick<Caller, 'view' | 'profile'>,
): string {
  const { tasks: _, ...capabilities } = DECLARED_CAPABILITIES;
  return JSON.stringify({
    supportedVersions: MODERN_VERSIONS,
    capabilities: {
      ...capabilities,
      ...experimentalCapabilities(upstreams, profile?.name),
      ...withTasks(union(upstreams, 'extensions')),
    },
    instructions:
      view.server === undefined ? instructionsOf(upstreams) : upstreams[0]?.identity?.instructions,
    resultType: 'complete',
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { [SERVER_INFO_KEY]: serverInfo },
  });
}
