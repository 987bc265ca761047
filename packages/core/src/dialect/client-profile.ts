import { cutText } from '../base/cut-text.js';
import { escapeControls } from '../base/escape-controls.js';
import { isRecord } from '../base/is-record.js';
import { listHabitOf, type ListHabit } from './client-habits.js';
import { LEGACY_VERSIONS, type LegacyVersion } from './revisions.js';

/** What a client said of itself when it was initialized. Servers are told the revision and the capabilities. */
export interface ClientProfile {
  readonly protocolVersion: LegacyVersion;
  /** `ClientCapabilities` of the specification, unchecked. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** What clients of that name do when a list has changed; absent for a name that is not known. */
  readonly listHabit?: ListHabit;
  /** How the client names itself, for people. */
  readonly name?: string;
}

const MAX_NAME = 100;

/** The profile of nobody: mcpmux must not invent what no client of its own has declared. */
export const NO_CLIENT: ClientProfile = Object.freeze({
  protocolVersion: LEGACY_VERSIONS[0],
  capabilities: {},
});

/** The profile in the params of an `initialize` request. An unknown version counts as the newest that mcpmux speaks. */
export function clientProfileOf(params: Readonly<Record<string, unknown>>): ClientProfile {
  const { protocolVersion, capabilities, clientInfo } = params;
  const { name } = isRecord(clientInfo) ? clientInfo : {};
  const shown = shownName(clientInfo);
  const listHabit = typeof name === 'string' ? listHabitOf(name) : undefined;
  return {
    protocolVersion: LEGACY_VERSIONS.find((known) => known === protocolVersion) ?? LEGACY_VERSIONS[0],
    capabilities: isRecord(capabilities) ? capabilities : {},
    ...(listHabit !== undefined && { listHabit }),
    ...(shown !== undefined && { name: shown }),
  };
}

/** Name and version of a client's `Implementation`, for people; undefined where it has no name. */
export function shownName(clientInfo: unknown): string | undefined {
  const { name, version } = isRecord(clientInfo) ? clientInfo : {};
  if (typeof name !== 'string') return undefined;
  return escapeControls(cutText(typeof version === 'string' ? `${name} ${version}` : name, MAX_NAME));
}
