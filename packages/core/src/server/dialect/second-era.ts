import { legacyProfileOf, type ClientProfile } from './client-profile.js';
import type { ClientRequestKind } from './client-requests.js';
import type { Era } from './era.js';

/** The properties of a client that determine which run receives the client's requests. */
export interface EraClient {
  readonly era: Era;
  /** The client's own era. It may differ from `era` if another cluster node has forwarded the request. */
  readonly clientEra: Era;
  /** Undefined until the client has sent its profile. */
  readonly profile: ClientProfile | undefined;
}

/** The properties of a server that determine whether a second run, in the other era, is worthwhile. */
export interface EraServer {
  /** The era of its current run. */
  readonly era: Era;
  /** True if the server is at a URL, so that a second run needs no process. */
  readonly isRemote: boolean;
  /** The kinds of request that the server may not send. */
  readonly denied: readonly ClientRequestKind[];
}

const REQUEST_KINDS: readonly ClientRequestKind[] = ['elicitation', 'sampling', 'roots'];

/**
 * Returns the request kinds that a client accepts but that a legacy run's handshake did not declare. The server sends
 * no such requests, and may hide the tools that need them.
 */
export function undeclaredKinds(
  client: Pick<EraClient, 'profile'>,
  openingProfile: Pick<ClientProfile, 'capabilities'>,
  denied: readonly ClientRequestKind[],
): readonly ClientRequestKind[] {
  return acceptedKinds(client, denied).filter((kind) => openingProfile.capabilities[kind] === undefined);
}

/** Returns the client profile that mcpmux declares in a legacy run's handshake. */
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
 * True if the bridge between a client and a run of the other era loses features that a run of the client's era may
 * offer.
 *
 * A modern server cannot send requests, so a legacy client would not get the requests that it accepts. A modern client
 * gets a legacy server's requests as questions in answers, but if calls of several clients overlap, the bridge cannot
 * determine which client must answer. Avoiding this is worth a second connection, but not a second process.
 */
export function bridgeLosesFeatures(client: EraClient, server: EraServer): boolean {
  const { clientEra: era } = client;
  if (era === server.era) return false;
  if (era === 'modern') return server.isRemote;
  return acceptedKinds(client, server.denied).length > 0;
}
