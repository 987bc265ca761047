import { MuxError, quote } from '@mcpmux/kit';
import { notFound } from '../../server/registry/registry-outcomes.js';
import type { Upstream } from '../../server/upstream.js';
import type { ToolContext } from './tool-context.js';

type Seeing = Pick<ToolContext, 'client' | 'registry'>;

/**
 * Returns the server of that name that a client sees. The error does not list servers that the client does not see.
 *
 * @throws MuxError SERVER_NOT_FOUND
 */
export function requireServer(name: string, context: Seeing): Upstream {
  requireSeen(name, context);
  const { client, registry } = context;
  const upstream = registry.find(name);
  if (upstream !== undefined) return upstream;
  const seen = client.view.directory.serverNames().map((known) => ({ name: known }));
  throw notFound(name, seen);
}

/**
 * Requires that a server is still registered once the user has been asked about it. Otherwise, another server may have
 * its name by now, and the user has not decided about that other server.
 *
 * @throws MuxError SERVER_REMOVED
 */
export function requirePresent({ name, state }: Upstream): void {
  if (state.kind !== 'removed') return;
  const asked = `Server ${quote(name)} was removed or replaced while the user was asked about it.`;
  throw new MuxError(
    'SERVER_REMOVED',
    `${asked} Nothing was done. Look at list_servers, and call again if need be.`,
  );
}

/**
 * Requires that a client sees a server. For the client, an invisible server is the same as a server that does not
 * exist.
 *
 * @throws MuxError SERVER_NOT_FOUND
 */
export function requireSeen(name: string, { client, registry }: Seeing): void {
  const { view, principal } = client;
  const upstream = registry.find(name);
  if (upstream === undefined ? view.seesName(name) : view.sees(upstream)) return;
  const names = view.directory.serverNames();
  const known = names.length === 0 ? 'It has no servers' : `It has: ${names.join(', ')}`;
  throw new MuxError(
    'SERVER_NOT_FOUND',
    `${JSON.stringify(principal.id)} has no server named ${quote(name)}. ${known}.`,
    { data: { server: name, servers: names } },
  );
}
