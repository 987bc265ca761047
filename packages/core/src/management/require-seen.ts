import type { CallingClient } from '../downstream/own-tool-handler.js';
import { MuxError } from '../errors.js';
import type { Registry } from '../registry/registry.js';

/**
 * Makes sure that a client sees a server. What it does not see is as unknown to it as what never was.
 *
 * @throws MuxError SERVER_NOT_FOUND
 */
export function requireSeen(
  name: string,
  { view, principal, scope }: CallingClient,
  { registry }: { readonly registry: Pick<Registry, 'find'> },
): void {
  const upstream = registry.find(name, scope.own);
  if (upstream === undefined ? view.seesName(name) : view.sees(upstream)) return;
  const names = view.directory.serverNames();
  const known = names.length === 0 ? 'There is none for it' : `There are for it: ${names.join(', ')}`;
  throw new MuxError(
    'SERVER_NOT_FOUND',
    `There is no server named ${JSON.stringify(name)} for ${JSON.stringify(principal.id)}. ${known}.`,
  );
}
