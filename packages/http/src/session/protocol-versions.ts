import type { Refusal } from '../entrance/refusal.js';

/** The values of `MCP-Protocol-Version` in a session, newest first. */
const IN_SESSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;
const KNOWN: ReadonlySet<string> = new Set(IN_SESSIONS);
/** From here on clients read events without data. */
const FIRST_WITH_MARKS = '2025-11-25';

/** The refusal of a request in a session whose header names another revision; undefined if it is served. */
export function versionRefusal(version: string | undefined): Refusal | undefined {
  if (version === undefined || KNOWN.has(version)) return undefined;
  const message = `Unsupported protocol version (supported versions: ${IN_SESSIONS.join(', ')}).`;
  return { status: 400, message };
}

/** True if a client accepts an event without data, with which it can resume a stream before the first message. */
export function marksStreams(version: string | undefined): boolean {
  return version !== undefined && version >= FIRST_WITH_MARKS;
}
