/** A protocol era: `legacy` (up to 2025-11-25) has the `initialize` handshake, `modern` (from 2026-07-28) does not. */
export type Era = 'legacy' | 'modern';
