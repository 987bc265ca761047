/** The supported revisions with the `initialize` handshake, newest first. */
export const LEGACY_VERSIONS = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
] as const;
/** One of {@link LEGACY_VERSIONS}. */
export type LegacyVersion = (typeof LEGACY_VERSIONS)[number];

/** The supported revisions without the `initialize` handshake, newest first. */
export const MODERN_VERSIONS = ['2026-07-28'] as const;
