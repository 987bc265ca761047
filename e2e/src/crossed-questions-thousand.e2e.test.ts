import { describe, expect, it } from 'vitest';

import { AskingPair, SERVER_ERAS } from './testing/asking-pair.js';
import { ASKING_PLACES } from './testing/asking-places.js';

const CALLS = 1000;

describe.each(ASKING_PLACES)('two clients %s', (_, open) => {
  describe.each(['legacy', 'modern'] as const)('of the %s era', (era) => {
    it.each(SERVER_ERAS)(
      'get the questions of their own calls alone, of 1,000 calls of a %s server, and no call waits for the user of another',
      async (server) => {
        await using place = await open();
        await using pair = await AskingPair.open(place, era);
        const all = await pair.interleaved(server, CALLS);
        expect(all).toMatchObject({ crossed: [], calls: CALLS });
        // Only a legacy server leaves open which call made it ask.
        expect(all.refused).toBeLessThanOrEqual(server === 'modern' ? 0 : CALLS);
        expect(await pair.whileOneWaits(server, 100)).toMatchObject({ crossed: [], calls: 101 });
      },
      240_000,
    );
  });
});
