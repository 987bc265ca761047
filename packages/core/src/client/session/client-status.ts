import type { ClientProfile } from '../../server/dialect/client-profile.js';
import type { Era } from '../../server/dialect/era.js';
import type { Session } from './session.js';

/** The status of a connected client. */
export interface ClientStatus {
  /** The number of the session within one mux, starting at 1. */
  readonly session: number;
  /** The client's name; absent until the client has sent it. */
  readonly client?: string;
  /** The client's era; absent until one of its requests shows the era. */
  readonly era?: Era;
  /** The negotiated protocol revision; present only for the legacy era. */
  readonly protocol_version?: string;
  /** The names of the capabilities that the client has declared. */
  readonly capabilities: readonly string[];
  /** The id of the client's principal. */
  readonly principal: string;
  readonly connected_seconds: number;
  /** The number of unanswered requests. */
  readonly in_flight: number;
}

/**
 * Returns the status of a connected client.
 *
 * @param modern the profile from the session's modern requests, if any
 * @param now the current time of the session's clock, in milliseconds
 */
export function clientStatus(
  { session, profile, principal, exchanges, connectedAt }: Session,
  modern: ClientProfile | undefined,
  now: number,
): ClientStatus {
  const clientProfile = profile ?? modern;
  const era = profile === undefined ? 'modern' : 'legacy';
  return {
    session,
    ...(clientProfile?.label !== undefined && { client: clientProfile.label }),
    ...(clientProfile !== undefined && { era }),
    ...(profile !== undefined && { protocol_version: profile.protocolVersion }),
    capabilities: Object.keys(clientProfile?.capabilities ?? {}),
    principal: principal.id,
    connected_seconds: Math.round((now - connectedAt) / 100) / 10,
    in_flight: exchanges.size,
  };
}
