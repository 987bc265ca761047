import fc from 'fast-check';
import { expect, it } from 'vitest';

import { chunkedBytes } from '@mcpmux/testing/chunked';
import { MessageFramer } from '../src/frame/message-framer.js';
import { fuzzParameters } from '@mcpmux/testing/fuzz-seed';
import { hostileLine } from '@mcpmux/testing/hostile-line';

const MAX_LINE_BYTES = 2000;
/** Far more than a line of these tests takes, far less than a loop that does not end. */
const SLOWEST_RUN_MS = 2000;

type Part =
  | { readonly kind: 'message'; readonly body: string }
  | { readonly kind: 'garbage'; readonly line: Buffer; readonly end: string }
  | { readonly kind: 'oversized'; readonly bytes: number };

const part: fc.Arbitrary<Part> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('message' as const), body: fc.json({ maxDepth: 2 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('garbage' as const),
      line: hostileLine.filter((line) => line.length < MAX_LINE_BYTES),
      end: fc.constantFrom('\n', '\r\n', '\n\n', '\n \t\n'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('oversized' as const),
      bytes: fc.integer({ min: MAX_LINE_BYTES + 1, max: 5 * MAX_LINE_BYTES }),
    }),
  },
);

/** A message with a number of its own, so that it is recognized wherever it arrives. */
function messageText(index: number, body: string): string {
  return `{"n":${index},"body":${body}}`;
}

function framed(text: string | Buffer, framing: 'lines' | 'headers'): Buffer {
  const bytes = Buffer.from(text);
  if (framing === 'lines') return Buffer.concat([bytes, Buffer.from('\n')]);
  return Buffer.concat([Buffer.from(`Content-Length: ${bytes.length}\r\n\r\n`), bytes]);
}

function streamOf(parts: readonly Part[], framing: 'lines' | 'headers'): Buffer {
  const bytes = parts.map((each, index) => {
    if (each.kind === 'message') return framed(messageText(index, each.body), framing);
    if (each.kind === 'oversized') return framed('x'.repeat(each.bytes), framing);
    return Buffer.concat([each.line, Buffer.from(each.end)]);
  });
  // the first message decides how the stream is framed
  return Buffer.concat([framed('{"n":"first"}', framing), ...bytes]);
}

it.each(['lines', 'headers'] as const)(
  'B1, B6, B9: every message arrives whole and in order, whatever stands between them and wherever it is cut: %s',
  (framing) => {
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 70 }), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 300 }),
        (parts, sizes, linesPerTurn) => {
          const start = performance.now();
          const lines: string[] = [];
          const oversized: number[] = [];
          const framer = new MessageFramer(
            {
              line: (line) => lines.push(line.toString()),
              oversized: ({ length, head, tail }) => {
                oversized.push(length);
                expect(head.length + tail.length).toBeLessThanOrEqual(2048);
              },
            },
            MAX_LINE_BYTES,
          );
          for (const chunk of chunkedBytes(streamOf(parts, framing), sizes)) {
            for (let rest: Buffer | undefined = chunk; rest !== undefined;) {
              rest = framer.push(rest, linesPerTurn);
            }
          }
          framer.end();
          const messages = parts.flatMap((each, index) =>
            each.kind === 'message' ? [messageText(index, each.body)] : [],
          );
          expect(lines.filter((line) => /^\{"n":(?:"first"|\d+,"body":)/.test(line))).toEqual([
            '{"n":"first"}',
            ...messages,
          ]);
          expect(oversized).toEqual(parts.flatMap((each) => (each.kind === 'oversized' ? [each.bytes] : [])));
          expect(performance.now() - start).toBeLessThan(SLOWEST_RUN_MS);
        },
      ),
      fuzzParameters(),
    );
  },
);
