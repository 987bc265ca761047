import type { CallingClient } from '../downstream/caller/own-tool-handler.js';
import { MuxError } from '../base/errors.js';
import { notFound } from '../registry/registry-outcomes.js';
import type { Registry } from '../registry/registry.js';
import type { Upstream } from '../upstream/upstream.js';

/**
 * The server of that name that a client sees. Names of others stand in no error.
 *
 * @throws MuxError SERVER_NOT_FOUND
 */
export function requireServer(
  name: string,
  client: CallingClient,
  components: { readonly registry: Pick<Registry, 'find'> },
): Upstream {
  requireSeen(name, client, components);
  const upstream = components.registry.find(name);
  if (upstream !== undefined) return upstream;
  const seen = client.view.directory.serverNames().map((known) => ({ name: known }));
  throw notFound(name, seen);
}

/**
 * Makes sure that a client sees a server. What it does not see is as unknown to it as what never was.
 *
 * @throws MuxError SERVER_NOT_FOUND
 */
export function requireSeen(
  name: string,
  { view, principal }: CallingClient,
  { registry }: { readonly registry: Pick<Registry, 'find'> },
): void {
  const upstream = registry.find(name);
  if (upstream === undefined ? view.seesName(name) : view.sees(upstream)) return;
  const names = view.directory.serverNames();
  const known = names.length === 0 ? 'There is none for it' : `There are for it: ${names.join(', ')}`;
  throw new MuxError(
    'SERVER_NOT_FOUND',
    `There is no server named ${JSON.stringify(name)} for ${JSON.stringify(principal.id)}. ${known}.`,
  );
}
