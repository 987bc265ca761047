import { legacyProfileOf, type ClientProfile } from './client-profile.js';
import type { ClientRequestKind } from './client-requests.js';
import type { Era } from './era.js';

/** The properties of a client that decide to which run its requests go. */
export interface EraClient {
  readonly era: Era;
  /**
   * The era of the run that gives the client all that the server has for it. It differs from `era` if another node of
   * a cluster has sent the request on in its own era.
   */
  readonly wantedEra: Era;
  /** Undefined until the client has introduced itself. */
  readonly profile: ClientProfile | undefined;
}

/** The properties of a server that decide whether it can have a run in another era. */
export interface SpokenServer {
  /** The era of its run. */
  readonly era: Era;
  /** True if a run in the other era needs no process, because the server is at a URL. */
  readonly isRemote: boolean;
  /** The kinds of request that the server may not send. */
  readonly denied: readonly ClientRequestKind[];
}

const KINDS: readonly ClientRequestKind[] = ['elicitation', 'sampling', 'roots'];

/**
 * Returns the kinds of request that a client accepts, and that the handshake of a legacy run did not declare. Such a
 * server asks the client nothing of these kinds, and may not list the tools that would ask.
 */
export function undeclaredKinds(
  client: Pick<EraClient, 'profile'>,
  opened: Pick<ClientProfile, 'capabilities'>,
  denied: readonly ClientRequestKind[],
): readonly ClientRequestKind[] {
  return acceptedKinds(client, denied).filter((kind) => opened.capabilities[kind] === undefined);
}

/** Returns the profile of a client for the handshake of a legacy run. */
export function handshakeProfile({
  era,
  profile,
}: Pick<EraClient, 'era' | 'profile'>): ClientProfile | undefined {
  return era === 'modern' && profile !== undefined ? legacyProfileOf(profile) : profile;
}

/** Returns the kinds of request that a client accepts and the server may send. */
export function acceptedKinds(
  { profile }: Pick<EraClient, 'profile'>,
  denied: readonly ClientRequestKind[] = [],
): readonly ClientRequestKind[] {
  return KINDS.filter((kind) => profile?.capabilities[kind] !== undefined && !denied.includes(kind));
}

/**
 * True if the bridge between a client and a run of the other era loses features that a server with both eras may offer.
 *
 * On a connection of the modern era, a server cannot send requests, so a client of the legacy era would not get the
 * requests that it accepts. In the other direction, requests of the server become part of its answers. Then the bridge
 * loses only one certainty: which client a question belongs to if calls of several clients overlap. That is worth a
 * second connection, but not a second process.
 */
export function isLossy(client: EraClient, server: SpokenServer): boolean {
  const { wantedEra: era } = client;
  if (era === server.era) return false;
  if (era === 'modern') return server.isRemote;
  return acceptedKinds(client, server.denied).length > 0;
}
