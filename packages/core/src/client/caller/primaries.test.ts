import { describe, expect, it } from 'vitest';

import { NO_CLIENT } from '../../server/dialect/client-profile.js';
import type { Era } from '../../server/dialect/era.js';
import { Layer } from '../../server/config/layer.js';
import { Primaries } from './primaries.js';

function clientsOf(...eras: readonly Era[]): Primaries {
  const primaries = new Primaries();
  for (const era of eras) primaries.set({ era, profile: NO_CLIENT, layer: LAYER });
  return primaries;
}

const LAYER = new Layer('shared');

describe('the era in which a server is tried first', () => {
  it.each<readonly [readonly Era[], Era]>([
    [[], 'legacy'],
    [['legacy'], 'legacy'],
    [['modern'], 'modern'],
    [['legacy', 'legacy'], 'legacy'],
    [['legacy', 'modern'], 'modern'],
  ])('for clients %j is %s', (eras, first) => {
    expect(clientsOf(...eras).eraFor(LAYER)).toBe(first);
  });

  it('is that of the host where it expects more clients, and not in the layer of one session', () => {
    const own = new Layer('session 1', LAYER, { session: 1 });
    const primaries = new Primaries();
    primaries.set({ era: 'legacy', profile: NO_CLIENT, layer: own });
    expect(primaries.eraFor(LAYER, 'modern')).toBe('modern');
    expect(primaries.eraFor(own, 'modern')).toBe('legacy');
    expect(new Primaries().eraFor(own, 'modern')).toBe('modern');
  });
});
