import { cutText, escapeControls, isRecord } from '@mcpmux/kit';
import { LEGACY_VERSIONS, type LegacyVersion } from './revisions.js';

/** A client as described by its `initialize` request. mcpmux declares the same revision and capabilities to servers. */
export interface ClientProfile {
  readonly protocolVersion: LegacyVersion;
  /** The client's name from `clientInfo`, for settings that apply only to some clients. */
  readonly name?: string;
  /** The client's `ClientCapabilities` (MCP specification), not validated. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** How clients with this name react to a changed tool list. Absent if unknown. */
  readonly listHabit?: ListHabit;
  /** The client's name and version, for display. */
  readonly label?: string;
}

const MAX_LABEL_LENGTH = 100;

/** The profile for use without a client. It declares no capabilities, because no client has declared any. */
export const NO_CLIENT: ClientProfile = Object.freeze({
  protocolVersion: LEGACY_VERSIONS[0],
  capabilities: {},
});

/** Converts a modern client's profile to one that mcpmux can declare to a legacy server. */
export function legacyProfileOf({ capabilities, protocolVersion }: ClientProfile): ClientProfile {
  const { tasks: _, roots, ...others } = capabilities;
  // `listChanged` is true, because mcpmux itself notifies the server when the client's roots become known or change.
  return {
    protocolVersion,
    capabilities: { ...others, ...(roots !== undefined && { roots: { listChanged: true } }) },
  };
}

/** Returns the profile from `initialize` params. Replaces an unknown version with the newest legacy version. */
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

/** Returns the name and version from a client's `Implementation` as a display label, or undefined if it has no name. */
export function labelOf(clientInfo: unknown): string | undefined {
  const { name, version } = isRecord(clientInfo) ? clientInfo : {};
  if (typeof name !== 'string') return undefined;
  return escapeControls(cutText(typeof version === 'string' ? `${name} ${version}` : name, MAX_LABEL_LENGTH));
}

/** How a client reacts to a changed tool list: it requests the list at once, or ignores the change. */
export type ListHabit = 'requests' | 'ignores';

/** Observed reactions to a changed tool list, by prefix of the client's name. */
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
