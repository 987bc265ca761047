import type { Bridges } from '../request/crossing.js';
import type { Implementation } from '../../server/dialect/server-identity.js';
import { ClientEnvelopes } from './client-envelopes.js';
import type { RoundParts } from './input-questions.js';
import { legacyOnModern } from './legacy-on-modern.js';
import { modernOnLegacy } from './modern-on-legacy.js';
import { modernOnModern } from './modern-on-modern.js';

/** The dependencies of bridges. */
export interface BridgeParts extends RoundParts {
  /** The name and the version of mcpmux, as servers get them. */
  readonly implementation: Implementation;
}

/** Returns the bridges by the era of the client, then of the server. Within the legacy era, bytes pass unchanged. */
export function bridges(parts: BridgeParts): Bridges {
  const envelopes = new ClientEnvelopes(parts.implementation);
  return {
    legacy: { modern: legacyOnModern(envelopes, parts) },
    modern: { legacy: modernOnLegacy, modern: modernOnModern(envelopes, parts) },
  };
}
