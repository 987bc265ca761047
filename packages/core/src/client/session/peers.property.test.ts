import fc from 'fast-check';
import { expect, it } from 'vitest';
import { propertyRuns } from '@mcpmux/testing/property-runs';

import { Conversation, NAMES, SERVERS, type Deed } from '../../testing/conversation.js';
import { TurningPeers } from '../../testing/turning-peers.js';

const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ kind: 'burst' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('call' as const, 'ask' as const),
      to: fc.nat({ max: 1 }),
      by: fc.nat({ max: 1 }),
      name: fc.nat({ max: NAMES.length - 1 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'progress' as const,
        'answer' as const,
        'cancel' as const,
        'reply' as const,
        'report' as const,
        'withdraw' as const,
      ),
      pick: fc.nat(),
    }),
  },
);

it('S9: every request, answer, progress and cancellation reaches its peer, with the id and token that the peer gave', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 10, maxLength: 80, size: 'max' }), async (deeds) => {
      await using peers = await TurningPeers.open(2, SERVERS);
      await expect(new Conversation(peers).run(deeds)).resolves.toEqual([]);
    }),
    propertyRuns(15),
  );
}, 60_000);
