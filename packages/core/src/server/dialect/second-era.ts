import type { ClientProfile } from './client-profile.js';
import type { ClientRequestKind } from './client-requests.js';
import type { Era } from './era.js';

/** A client, by what decides about the run that its requests go to. */
export interface EraClient {
  readonly era: Era;
  /** Undefined until it has introduced itself. */
  readonly profile: ClientProfile | undefined;
}

/** A server, by what decides whether it can have a run of another era. */
export interface SpokenServer {
  /** The era of its run. */
  readonly era: Era;
  /** True if a run of the other era costs no process: the server is at a url. */
  readonly isRemote: boolean;
  /** The kinds of request that the server may not send. */
  readonly denied: readonly ClientRequestKind[];
}

const KINDS: readonly ClientRequestKind[] = ['elicitation', 'sampling', 'roots'];

/**
 * True if the bridge between a client and a run of the other era loses what a server of both eras may offer the client.
 *
 * On a connection of the modern era such a server cannot send requests, so a client of the legacy era that takes them
 * would not get them. In the other direction requests of the server become part of answers: the bridge loses nothing but
 * the certainty whose question it is when calls of several clients overlap. That is worth a connection, but no process.
 */
export function isLossy({ era, profile }: EraClient, server: SpokenServer): boolean {
  if (era === server.era) return false;
  if (era === 'modern') return server.isRemote;
  const { capabilities = {} } = profile ?? {};
  return KINDS.some((kind) => capabilities[kind] !== undefined && !server.denied.includes(kind));
}
