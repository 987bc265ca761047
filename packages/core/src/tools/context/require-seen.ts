import { MuxError, quote } from '@mcpmux/kit';
import { serverNotFoundError } from '../../server/registry/registry-outcomes.js';
import type { Upstream } from '../../server/upstream.js';
import type { ToolContext } from './tool-context.js';

type CallerContext = Pick<ToolContext, 'client' | 'registry'>;

/**
 * Returns the server with this name that is visible to the client. The error does not list servers that are invisible
 * to the client.
 *
 * @throws MuxError SERVER_NOT_FOUND
 */
export function requireServer(name: string, context: CallerContext): Upstream {
  requireVisible(name, context);
  const { client, registry } = context;
  const upstream = registry.find(name);
  if (upstream !== undefined) return upstream;
  const servers = client.view.directory.serverNames().map((known) => ({ name: known }));
  throw serverNotFoundError(name, servers);
}

/**
 * Throws if a server was removed or replaced while the user was deciding about it. Its name may now belong to a server
 * about which the user has not decided.
 *
 * @throws MuxError SERVER_REMOVED
 */
export function requirePresent({ name, state }: Upstream): void {
  if (state.kind !== 'removed') return;
  const problem = `Server ${quote(name)} was removed or replaced while the user was asked about it.`;
  throw new MuxError(
    'SERVER_REMOVED',
    `${problem} Nothing was done. Look at list_servers, and call again if need be.`,
  );
}

/**
 * Throws if a server is not visible to a client. The error is the same as for a server that does not exist.
 *
 * @throws MuxError SERVER_NOT_FOUND
 */
export function requireVisible(name: string, { client, registry }: CallerContext): void {
  const { view, principal } = client;
  const upstream = registry.find(name);
  if (upstream === undefined ? view.seesName(name) : view.sees(upstream)) return;
  const names = view.directory.serverNames();
  const namesText = names.length === 0 ? 'It has no servers' : `It has: ${names.join(', ')}`;
  throw new MuxError(
    'SERVER_NOT_FOUND',
    `${JSON.stringify(principal.id)} has no server named ${quote(name)}. ${namesText}.`,
    { data: { server: name, servers: names } },
  );
}
