import { legacyProfileOf, type ClientProfile } from './client-profile.js';
import type { ClientRequestKind } from './client-requests.js';
import type { Era } from './era.js';

/** The properties of a client that determine which run gets its requests. */
export interface EraClient {
  readonly era: Era;
  /**
   * The era of the run that offers the client all features of the server. It differs from `era` if another node of a
   * cluster forwarded the request in the era of that node.
   */
  readonly clientEra: Era;
  /** Undefined before the client has sent its profile. */
  readonly profile: ClientProfile | undefined;
}

/** The properties of a server that determine whether it can have a run in another era. */
export interface EraServer {
  /** The era of its current run. */
  readonly era: Era;
  /** True for a server at a URL, for which a second run needs no process. */
  readonly isRemote: boolean;
  /** The kinds of request that the server may not send. */
  readonly denied: readonly ClientRequestKind[];
}

const REQUEST_KINDS: readonly ClientRequestKind[] = ['elicitation', 'sampling', 'roots'];

/**
 * Returns the kinds of request that a client accepts, although the handshake of a legacy run did not declare them. The
 * server sends no such requests, and may hide the tools that need them.
 */
export function undeclaredKinds(
  client: Pick<EraClient, 'profile'>,
  openingProfile: Pick<ClientProfile, 'capabilities'>,
  denied: readonly ClientRequestKind[],
): readonly ClientRequestKind[] {
  return acceptedKinds(client, denied).filter((kind) => openingProfile.capabilities[kind] === undefined);
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
  return REQUEST_KINDS.filter((kind) => profile?.capabilities[kind] !== undefined && !denied.includes(kind));
}

/**
 * True if the bridge between a client and a run of the other era loses features that a server with both eras may offer.
 *
 * A server cannot send requests on a modern connection, so a legacy client would not get the requests that it accepts.
 * In the other direction, requests of a legacy server become part of its answers. If calls of several clients overlap,
 * the bridge cannot determine which client must answer a question. Avoiding this is worth a second connection, but not
 * a second process.
 */
export function bridgeLosesFeatures(client: EraClient, server: EraServer): boolean {
  const { clientEra: era } = client;
  if (era === server.era) return false;
  if (era === 'modern') return server.isRemote;
  return acceptedKinds(client, server.denied).length > 0;
}
