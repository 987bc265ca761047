import type { ClientProfile } from '../../server/dialect/client-profile.js';
import type { Era } from '../../server/dialect/era.js';
import type { Session } from './session.js';

/** A connected client, as mcpmux tells of it. */
export interface ClientStatus {
  /** Tells the sessions of one mux apart: 1 for the first. */
  readonly session: number;
  /** How the client names itself; absent until it has. */
  readonly client?: string;
  /** Absent until the client has sent a request that tells. */
  readonly era?: Era;
  /** The revision that the session speaks; present for the legacy era. */
  readonly protocol_version?: string;
  /** Names the capabilities that the client has declared. */
  readonly capabilities: readonly string[];
  /** The id of its principal. */
  readonly principal: string;
  readonly connected_seconds: number;
  /** Requests that are not answered yet. */
  readonly in_flight: number;
}

/**
 * @param modern the client of the requests without `initialize` that came by the session
 * @param now a reading of the clock of the session, in milliseconds
 */
export function clientStatus(
  { session, profile, principal, exchanges, since }: Session,
  modern: ClientProfile | undefined,
  now: number,
): ClientStatus {
  const known = profile ?? modern;
  const era = profile === undefined ? 'modern' : 'legacy';
  return {
    session,
    ...(known?.label !== undefined && { client: known.label }),
    ...(known !== undefined && { era }),
    ...(profile !== undefined && { protocol_version: profile.protocolVersion }),
    capabilities: Object.keys(known?.capabilities ?? {}),
    principal: principal.id,
    connected_seconds: Math.round((now - since) / 100) / 10,
    in_flight: exchanges.size,
  };
}
