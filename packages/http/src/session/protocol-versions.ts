import type { Refusal } from '../entrance/refusal.js';

/** The values of `MCP-Protocol-Version` in a session, newest first. */
const IN_SESSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;
const KNOWN: ReadonlySet<string> = new Set(IN_SESSIONS);
/** From this revision on, clients accept events without data. */
const FIRST_WITH_MARKS = '2025-11-25';

/**
 * Returns the refusal of a request in a session if its header names an unknown revision. Returns undefined if the
 * request is served.
 */
export function versionRefusal(version: string | undefined): Refusal | undefined {
  if (version === undefined || KNOWN.has(version)) return undefined;
  const message = `Unsupported protocol version (supported versions: ${IN_SESSIONS.join(', ')}).`;
  return { status: 400, message };
}

/**
 * True if a client accepts an event without data. With its id, the client can resume a stream before the first message.
 */
export function marksStreams(version: string | undefined): boolean {
  return version !== undefined && version >= FIRST_WITH_MARKS;
}
