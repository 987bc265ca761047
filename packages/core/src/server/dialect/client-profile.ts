import { cutText, escapeControls, isRecord } from '@mcpmux/kit';
import { LEGACY_VERSIONS, type LegacyVersion } from './revisions.js';

/** The description of a client from its `initialize` request. mcpmux sends its revision and capabilities to servers. */
export interface ClientProfile {
  readonly protocolVersion: LegacyVersion;
  /** The client's own name, for settings that apply only to some clients. */
  readonly name?: string;
  /** `ClientCapabilities` of the specification, unchecked. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** The reaction of clients with this name to a changed list. Absent for an unknown name. */
  readonly listHabit?: ListHabit;
  /** Name and version of the client, for people. */
  readonly label?: string;
}

const MAX_LABEL_LENGTH = 100;

/** The profile for requests without a client. mcpmux must not claim capabilities that no client has declared. */
export const NO_CLIENT: ClientProfile = Object.freeze({
  protocolVersion: LEGACY_VERSIONS[0],
  capabilities: {},
});

/** Returns the profile of a modern client for a legacy server, in the format of the legacy era. */
export function legacyProfileOf({ capabilities, protocolVersion }: ClientProfile): ClientProfile {
  const { tasks: _, roots, ...others } = capabilities;
  // mcpmux notifies the server when the client's roots become known or change.
  return {
    protocolVersion,
    capabilities: { ...others, ...(roots !== undefined && { roots: { listChanged: true } }) },
  };
}

/** Returns the profile in `initialize` params. Replaces an unknown version with the newest supported version. */
export function clientProfileOf(params: Readonly<Record<string, unknown>>): ClientProfile {
  const { protocolVersion, capabilities, clientInfo } = params;
  const { name } = isRecord(clientInfo) ? clientInfo : {};
  const isNamed = typeof name === 'string';
  const listHabit = isNamed ? listHabitOf(name) : undefined;
  const label = labelOf(clientInfo);
  return {
    protocolVersion: LEGACY_VERSIONS.find((known) => known === protocolVersion) ?? LEGACY_VERSIONS[0],
    capabilities: isRecord(capabilities) ? capabilities : {},
    ...(isNamed && { name }),
    ...(listHabit !== undefined && { listHabit }),
    ...(label !== undefined && { label }),
  };
}

/**
 * Returns the name and version from a client's `Implementation` as a label for people, or undefined if it has no name.
 */
export function labelOf(clientInfo: unknown): string | undefined {
  const { name, version } = isRecord(clientInfo) ? clientInfo : {};
  if (typeof name !== 'string') return undefined;
  return escapeControls(cutText(typeof version === 'string' ? `${name} ${version}` : name, MAX_LABEL_LENGTH));
}

/** The reaction of a client to a change of the tool list: it requests the list at once, or ignores the change. */
export type ListHabit = 'requests' | 'ignores';

/** The observed behavior of clients, by the prefix of the names that they send. */
const LIST_HABITS: readonly (readonly [name: string, habit: ListHabit])[] = [
  // Observed in Claude Code 2.1.332.
  ['claude-code', 'requests'],
  // Observed in Gemini CLI 0.61.0, which sends `gemini-cli-mcp-client`, sometimes followed by the name of the server.
  ['gemini-cli', 'requests'],
  // Observed in Codex 0.169.0, which sends `codex-mcp-client`.
  ['codex', 'ignores'],
];

/** Returns the habit of clients with this name, or undefined if the habit is unknown. */
export function listHabitOf(clientName = ''): ListHabit | undefined {
  const lower = clientName.toLowerCase();
  return LIST_HABITS.find(([name]) => lower.startsWith(name))?.[1];
}
