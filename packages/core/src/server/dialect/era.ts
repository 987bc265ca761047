/** Protocol eras: `legacy` with the `initialize` handshake (up to 2025-11-25), `modern` without (from 2026-07-28). */
export type Era = 'legacy' | 'modern';
