import type { SessionLayers } from '../../registry/layers.js';

/** The registries of a session: what it sees, and where the servers are that it adds. */
export type SessionScope = Pick<SessionLayers, 'own' | 'adds'>;
