import { isRecord } from '../base/is-record.js';
import { LEGACY_VERSIONS, type LegacyVersion } from './revisions.js';

/** What a client said of itself when it was initialized, as far as servers are told. */
export interface ClientProfile {
  readonly protocolVersion: LegacyVersion;
  /** `ClientCapabilities` of the specification, unchecked. */
  readonly capabilities: Readonly<Record<string, unknown>>;
}

/** The profile of nobody: mcpmux must not invent what no client of its own has declared. */
export const NO_CLIENT: ClientProfile = Object.freeze({
  protocolVersion: LEGACY_VERSIONS[0],
  capabilities: {},
});

/** The profile in the params of an `initialize` request. An unknown version counts as the newest that mcpmux speaks. */
export function clientProfileOf(params: Readonly<Record<string, unknown>>): ClientProfile {
  const { protocolVersion, capabilities } = params;
  return {
    protocolVersion: LEGACY_VERSIONS.find((known) => known === protocolVersion) ?? LEGACY_VERSIONS[0],
    capabilities: isRecord(capabilities) ? capabilities : {},
  };
}
