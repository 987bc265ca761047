import { MuxError, quote } from '@mcpmux/kit';
import { notFound } from '../../server/registry/registry-outcomes.js';
import type { Upstream } from '../../server/upstream.js';
import type { ToolContext } from './tool-context.js';

type Seeing = Pick<ToolContext, 'client' | 'registry'>;

/**
 * The server of that name that a client sees. Names of others stand in no error.
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
 * Makes sure that a server is still there, after its user was asked about it: another one may have its name by now, and
 * about that one the user has said nothing.
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
 * Makes sure that a client sees a server. To a client, a server that it does not see is as unknown as one that never
 * existed.
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
  );
}
