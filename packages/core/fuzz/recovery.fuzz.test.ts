import fc from 'fast-check';
import { expect, it } from 'vitest';

import { connected, outgoingCall } from '../src/testing/connected.js';
import { RecordingSink } from '../src/testing/recording-sink.js';
import { mutatedBytes } from '@mcpmux/testing/byte-mutation';
import { fuzzParameters } from '@mcpmux/testing/fuzz-seed';
import { hostileLine, Tally } from '@mcpmux/testing/hostile-line';

const CALL = '{"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"t"}}';

/** A response to request `id` that came through damage, and a whole one. */
const damagedResponse = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.json({ maxDepth: 2 }))
  .chain(([id, result]) => mutatedBytes(fc.constant(`{"jsonrpc":"2.0","id":${id},"result":${result}}`)))
  .map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 0x0a)));

it('B2, B12, B13, B15: each call ends exactly once, by its own response or by damage to it, whatever else its server writes', () => {
  const tally = new Tally();
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.oneof(damagedResponse, hostileLine), { maxLength: 8 }),
      (calls, lines) => {
        const { connection } = connected();
        const sinks = Array.from({ length: calls }, () => {
          const sink = new RecordingSink();
          connection.calls.sendCall(outgoingCall(CALL), sink);
          return sink;
        });
        for (const line of lines) connection.line(line);
        for (const [index, sink] of sinks.entries()) {
          tally.add(outcomeOf(sink));
          connection.line(Buffer.from(`{"jsonrpc":"2.0","id":${index + 1},"result":{"mine":${index}}}`));
        }
        for (const sink of sinks)
          expect(sink.events.filter((event) => !('progress' in event))).toHaveLength(1);
        expect(sinks.flatMap(idsOf)).toEqual(
          sinks.flatMap((sink, index) => idsOf(sink).map(() => index + 1)),
        );
      },
    ),
    fuzzParameters(),
  );
  for (const outcome of ['response', 'failure', 'pending']) {
    expect(tally.share(outcome)).toBeGreaterThan(0.01);
  }
});

function outcomeOf({ events }: RecordingSink): string {
  const last = events.find((event) => !('progress' in event));
  if (last === undefined) return 'pending';
  return 'failure' in last ? 'failure' : 'response';
}

/** The ids of the responses that a caller was given, as numbers: `1.0` and `"1"` are `1`. Errors may have none. */
function idsOf({ events }: RecordingSink): number[] {
  const ids = events.flatMap((event) => ('response' in event ? [JSON.parse(event.id) as unknown] : []));
  return ids.filter((id) => id !== null).map(Number);
}
