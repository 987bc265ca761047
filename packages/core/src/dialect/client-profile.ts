import { isRecord } from '../base/is-record.js';
import { listHabitOf, type ListHabit } from './client-habits.js';
import { LEGACY_VERSIONS, type LegacyVersion } from './revisions.js';

/** What a client said of itself when it was initialized. Servers are told the revision and the capabilities. */
export interface ClientProfile {
  readonly protocolVersion: LegacyVersion;
  /** The name that the client gives itself, for settings that concern some clients alone. */
  readonly name?: string;
  /** `ClientCapabilities` of the specification, unchecked. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** What clients of that name do when a list has changed; absent for a name that is not known. */
  readonly listHabit?: ListHabit;
}

/** The profile of nobody: mcpmux must not invent what no client of its own has declared. */
export const NO_CLIENT: ClientProfile = Object.freeze({
  protocolVersion: LEGACY_VERSIONS[0],
  capabilities: {},
});

/** The profile in the params of an `initialize` request. An unknown version counts as the newest that mcpmux speaks. */
export function clientProfileOf(params: Readonly<Record<string, unknown>>): ClientProfile {
  const { protocolVersion, capabilities, clientInfo } = params;
  const { name } = isRecord(clientInfo) ? clientInfo : {};
  const isNamed = typeof name === 'string';
  const listHabit = isNamed ? listHabitOf(name) : undefined;
  return {
    protocolVersion: LEGACY_VERSIONS.find((known) => known === protocolVersion) ?? LEGACY_VERSIONS[0],
    capabilities: isRecord(capabilities) ? capabilities : {},
    ...(isNamed && { name }),
    ...(listHabit !== undefined && { listHabit }),
  };
}
