import process from 'node:process';

import { describe, expect, it } from 'vitest';

import { alone, through } from '../testing/alone-and-through.js';
import { differences } from '../testing/course.js';
import { mutationOf } from '../testing/mutations.js';
import { SloppyServer, WORDS } from '../testing/sloppy-server.js';

/** The seeds of the mutations. Another first one, and another number, may be set. */
const FIRST = Number(process.env['FUZZ_SEED'] ?? 1);
const COUNT = Number(process.env['MUTATIONS'] ?? 200);
const SEEDS = Array.from({ length: COUNT }, (_, index) => FIRST + index);

describe('a mutation of a sound server is no worse through mcpmux than alone', () => {
  it.each(SEEDS.map((seed) => mutationOf(seed)))(
    'seed $seed: $name in $method, $way, $era',
    async ({ era, way, change }) => {
      await using server = await SloppyServer.open(era, change);
      const one = await alone(server, way);
      const other = await through(server, way);
      expect(differences(one, other, [WORDS])).toEqual([]);
    },
  );
});
