import type { ClientProfile } from './client-profile.js';
import type { ClientRequestKind } from './client-requests.js';
import type { Era } from './era.js';

/** The properties of a client that decide to which run its requests go. */
export interface EraClient {
  readonly era: Era;
  /** Undefined until the client has introduced itself. */
  readonly profile: ClientProfile | undefined;
}

/** The properties of a server that decide whether it can have a run in another era. */
export interface SpokenServer {
  /** The era of its run. */
  readonly era: Era;
  /** True if a run in the other era needs no process, because the server is at a url. */
  readonly isRemote: boolean;
  /** The kinds of request that the server may not send. */
  readonly denied: readonly ClientRequestKind[];
}

const KINDS: readonly ClientRequestKind[] = ['elicitation', 'sampling', 'roots'];

/**
 * True if the bridge between a client and a run of the other era loses features that a server with both eras may offer.
 *
 * On a connection of the modern era, a server cannot send requests, so a client of the legacy era would not get the
 * requests that it accepts. In the other direction, requests of the server become part of its answers. Then the bridge
 * loses only one certainty: which client a question belongs to if calls of several clients overlap. That is worth a
 * second connection, but not a second process.
 */
export function isLossy({ era, profile }: EraClient, server: SpokenServer): boolean {
  if (era === server.era) return false;
  if (era === 'modern') return server.isRemote;
  const { capabilities = {} } = profile ?? {};
  return KINDS.some((kind) => capabilities[kind] !== undefined && !server.denied.includes(kind));
}
