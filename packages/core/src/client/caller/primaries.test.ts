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
    [['legacy', 'legacy'], 'modern'],
    [['legacy', 'modern'], 'modern'],
  ])('for clients %j is %s', (eras, first) => {
    expect(clientsOf(...eras).eraFor(LAYER)).toBe(first);
  });
});
