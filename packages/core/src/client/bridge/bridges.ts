import type { Bridges } from '../request/crossing.js';
import type { Implementation } from '../../server/dialect/server-identity.js';
import { ClientEnvelopes } from './client-envelopes.js';
import type { InputComponents } from './input-questions.js';
import { legacyOnModern } from './legacy-on-modern.js';
import { modernOnLegacy } from './modern-on-legacy.js';
import { modernOnModern } from './modern-on-modern.js';
import type { Era } from '../../server/dialect/era.js';

/**
 * Returns the bridges by client era, then by server era. Legacy clients and legacy servers have no bridge between them:
 * bytes pass through unchanged.
 *
 * @param implementation the name and version of mcpmux, as sent to servers
 */
export function createBridges(parts: InputComponents, implementation: Implementation): Bridges {
  const envelopes = new ClientEnvelopes(implementation);
  return {
    legacy: { modern: legacyOnModern(envelopes, parts) },
    modern: { legacy: modernOnLegacy, modern: modernOnModern(envelopes, parts) },
  };
}

/** The differences that a client notices in servers of the other era, by the client's era, then by the server's era. */
const ERA_DIFFERENCES: Readonly<Record<Era, Readonly<Record<Era, readonly string[]>>>> = {
  legacy: {
    legacy: [],
    modern: [
      'A question of such a server comes as a request, and the call is sent again with the answer.',
      'tasks/list lists the tasks that this session has made: such servers list none.',
    ],
  },
  modern: {
    modern: [],
    legacy: [
      'A question of such a server is answered by a retry of the call, within the time that mcpmux keeps the call for it; a restart of mcpmux ends these calls.',
      'Such a server can ask during a call alone; only its question for roots waits for the next call.',
      'A question does not name its call: with several calls of one client in flight it belongs to the last one that can answer it, and with calls of several clients it is refused.',
      'Its log messages come while a request that names a log level is in flight.',
    ],
  },
};

/** Returns the differences that a client of one era notices in servers of another era. */
export function differencesFor(client: Era, server: Era): readonly string[] {
  return ERA_DIFFERENCES[client][server];
}
