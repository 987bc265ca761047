/**
 * The two eras of the protocol. `legacy` has the `initialize` handshake (up to 2025-11-25), and `modern` does not (from
 * 2026-07-28).
 */
export type Era = 'legacy' | 'modern';
