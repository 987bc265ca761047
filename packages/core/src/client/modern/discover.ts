import { resultLine } from '@mcpmux/wire';
import { byUse } from '../caller/by-use.js';
import type { Handler } from '../methods/handler.js';
import type { Upstream } from '../../server/upstream.js';
import { CAPABILITIES, instructionsOf, union } from '../legacy/initialize-result.js';
import { MODERN_VERSIONS } from '../../server/dialect/revisions.js';
import type { Implementation } from '../../server/dialect/server-identity.js';
import { SERVER_INFO } from './own-answers.js';
import { withTasks } from '../../server/dialect/tasks-extension.js';

/** The handler of `server/discover`. It waits for no server, and starts none. */
export function discoverHandler(serverInfo: Implementation): Handler {
  return (exchange) => {
    const { id, caller } = exchange;
    const seen = caller.layer.list().filter(caller.view.sees);
    const servers = byUse(seen, caller);
    exchange.respond(resultLine(id, discoverResultJson(serverInfo, servers, caller.view.server)));
  };
}

/** The DiscoverResult, JSON. Servers come and go, so it is never fresh for longer than now. */
function discoverResultJson(
  serverInfo: Implementation,
  upstreams: readonly Upstream[],
  server: string | undefined,
): string {
  const { tasks: _, ...capabilities } = CAPABILITIES;
  return JSON.stringify({
    supportedVersions: MODERN_VERSIONS,
    capabilities: {
      ...capabilities,
      ...union(upstreams, 'experimental'),
      ...withTasks(union(upstreams, 'extensions')),
    },
    instructions: server === undefined ? instructionsOf(upstreams) : upstreams[0]?.identity?.instructions,
    resultType: 'complete',
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { [SERVER_INFO]: serverInfo },
  });
}
