import { isRecord } from '../wire/is-record.js';
import type { Connection } from './connection.js';
import { OwnRequestError } from './own-request.js';

/** Revisions with the `initialize` handshake that mcpmux speaks, newest first. */
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
/** One of {@link LEGACY_VERSIONS}. */
export type LegacyVersion = (typeof LEGACY_VERSIONS)[number];

/** Name and version of a peer (`Implementation` of the specification). */
export interface Implementation {
  readonly name: string;
  readonly version: string;
}

/** What a server said of itself when it was initialized. Unchecked beyond what is named here. */
export interface ServerIdentity {
  readonly protocolVersion: LegacyVersion;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly instructions: string | undefined;
}

/**
 * Initializes one server (lifecycle of the 2025-11-25 revision): `initialize`, then `notifications/initialized`.
 *
 * mcpmux declares no client capability: it must not invent what no client of its own has declared.
 *
 * @throws OwnRequestError when the server refuses, is late, or answers something that is no InitializeResult
 */
export async function initialize(
  connection: Connection,
  clientInfo: Implementation,
  timeoutMs: number,
): Promise<ServerIdentity> {
  const params = { protocolVersion: LEGACY_VERSIONS[0], capabilities: {}, clientInfo };
  const { line, result } = await connection.request('initialize', params, timeoutMs);
  const identity = readIdentity(JSON.parse(line.toString('utf8', result.start, result.end)));
  connection.notify('notifications/initialized');
  return identity;
}

function readIdentity(result: unknown): ServerIdentity {
  const { protocolVersion, capabilities, instructions } = isRecord(result) ? result : {};
  const version = LEGACY_VERSIONS.find((known) => known === protocolVersion);
  if (version === undefined) {
    const offered =
      protocolVersion === undefined
        ? 'protocolVersion is missing'
        : `protocolVersion ${JSON.stringify(protocolVersion)} is unknown`;
    throw new OwnRequestError(`${offered} (known: ${LEGACY_VERSIONS.join(', ')})`, false);
  }
  return {
    protocolVersion: version,
    capabilities: isRecord(capabilities) ? capabilities : {},
    instructions: typeof instructions === 'string' ? instructions : undefined,
  };
}
