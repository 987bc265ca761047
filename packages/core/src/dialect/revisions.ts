/** Revisions with the `initialize` handshake that mcpmux speaks, newest first. */
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
/** One of {@link LEGACY_VERSIONS}. */
export type LegacyVersion = (typeof LEGACY_VERSIONS)[number];
