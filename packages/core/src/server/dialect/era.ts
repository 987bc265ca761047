/** The two shapes of the protocol: with the `initialize` handshake, up to 2025-11-25, and without, from 2026-07-28 on. */
export type Era = 'legacy' | 'modern';
