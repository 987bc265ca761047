/**
 * The two forms of the protocol. `legacy` has the `initialize` handshake (up to 2025-11-25); `modern` does not (from
 * 2026-07-28 on).
 */
export type Era = 'legacy' | 'modern';
