import { describe, expect, it } from 'vitest';

import { AskingPair, SERVER_ERAS } from './testing/asking-pair.js';
import { ASKING_PLACES } from './testing/asking-places.js';

const CALLS = 20;

/** Over stdio each of them has a mux of its own, which `crossed-questions-thousand` runs. */
const TOGETHER = ASKING_PLACES.filter(([name]) => name !== 'over stdio');

describe.each(TOGETHER)('two clients of 2026-07-28 %s', (_, open) => {
  it.each(SERVER_ERAS)('get the questions of their own calls alone from a %s server', async (server) => {
    await using place = await open();
    await using pair = await AskingPair.open(place, 'modern');
    expect(await pair.interleaved(server, CALLS)).toMatchObject({ crossed: [], calls: CALLS });
    expect(await pair.whileOneWaits(server, CALLS)).toMatchObject({ crossed: [], calls: CALLS + 1 });
  });
});
