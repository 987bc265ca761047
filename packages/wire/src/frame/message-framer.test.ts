import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { chunkedBytes } from '@mcpmux/testing/chunked';
import { MessageFramer } from './message-framer.js';

const NO_LIMIT = 1e9;

interface Outcome {
  readonly events: string[];
  readonly framer: MessageFramer;
}

/** The messages of a stream, cut at the given sizes: the same whether or not lines are borrowed. */
function framed(stream: string | Buffer, { limit = NO_LIMIT, sizes = [NO_LIMIT] } = {}): Outcome {
  const [borrowed, owned] = [true, false].map((borrowsLines) =>
    framedOnce(stream, { limit, sizes, borrowsLines }),
  );
  expect(borrowed?.events).toEqual(owned?.events);
  return owned as Outcome;
}

/** The same once. Each chunk is overwritten once it has been taken. */
function framedOnce(
  stream: string | Buffer,
  { limit, sizes, borrowsLines }: { limit: number; sizes: number[]; borrowsLines: boolean },
): Outcome {
  const events: string[] = [];
  const framer = new MessageFramer(
    {
      line: (line) => events.push(line.toString()),
      oversized: ({ length, head, tail }) => events.push(`oversized ${length} ${head.length} ${tail.length}`),
    },
    limit,
    { borrowsLines, maxRunawayBytes: 1_000_000, onRunawayLine: () => events.push('endless') },
  );
  for (const chunk of chunkedBytes(Buffer.from(stream), sizes)) {
    framer.push(chunk);
    chunk.fill('#');
  }
  framer.end();
  return { events, framer };
}

function withHeader(message: string, header = 'Content-Length'): string {
  return `${header}: ${Buffer.byteLength(message)}\r\n\r\n${message}`;
}

describe('the framing of a stream', () => {
  it.each<[string, string, string | undefined]>([
    ['a message', '{"id":1}\n', 'lines'],
    ['a header', withHeader('{"id":1}'), 'headers'],
    ['a header in small letters', withHeader('{"id":1}', 'content-length'), 'headers'],
    ['a header behind garbage', `starting\n\n${withHeader('{"id":1}')}`, 'headers'],
    ['garbage only', 'starting\n\n[]\n', undefined],
  ])('is known from %s', (_, stream, framing) => {
    expect(framed(stream).framer.framing).toBe(framing);
  });

  it('does not change any more: a header behind a message is a line', () => {
    const { events, framer } = framed('{"id":1}\nContent-Length: 2\n\n{}\n');
    expect(framer.framing).toBe('lines');
    expect(events).toEqual(['{"id":1}', 'Content-Length: 2', '{}']);
  });

  it('lets garbage through that came before it was known', () => {
    expect(framed(`one\ntwo\n${withHeader('{}')}`).events).toEqual(['one', 'two', '{}']);
  });
});

describe('the last line of a stream', () => {
  const LONG = '1'.repeat(30);

  it.each([
    ['of which no other is known', LONG, [true]],
    ['of messages', `{}\n${LONG}`, [false, true]],
    ['whose last one is whole', `{}\n${LONG}\n`, [false, false]],
    ['that is short', '{}\n12', [false, true]],
    ['behind a message with headers', `${withHeader('{}')}${LONG}`, [undefined, true]],
    ['that is short, behind a message with headers', `${withHeader('{}')}12`, [undefined, true]],
  ])('is told as the last, whatever its length: one %s', (_, stream, expected) => {
    const last: (boolean | undefined)[] = [];
    const report = (_line: unknown, isLast?: boolean): void => {
      last.push(isLast);
    };
    const framer = new MessageFramer({ line: report, oversized: report }, 20);
    framer.push(Buffer.from(stream));
    framer.end();
    expect(last).toEqual(expected);
  });
});

describe('messages behind headers', () => {
  it('may follow each other directly, and may have other headers', () => {
    const typed = `Content-Type: application/json\r\n${withHeader('{"b":2}')}`;
    expect(framed(withHeader('{"a":1}') + typed + withHeader('{"c":3}')).events).toEqual([
      '{"a":1}',
      '{"b":2}',
      '{"c":3}',
    ]);
  });

  it('become one line each: a newline in JSON is white space', () => {
    expect(framed(withHeader('{\n  "a": "x\\n"\n}')).events).toEqual(['{   "a": "x\\n" }']);
  });

  it('are counted in bytes, not in characters', () => {
    expect(framed(withHeader('{"a":"日本"}') + withHeader('{}')).events).toEqual(['{"a":"日本"}', '{}']);
  });

  it('may be interrupted by garbage and by messages without headers', () => {
    const stream = `${withHeader('{"a":1}')}a log line\n{"b":2}\n${withHeader('{"c":3}')}`;
    expect(framed(stream).events).toEqual(['{"a":1}', 'a log line', '{"b":2}', '{"c":3}']);
  });

  it('are lost when the stream ends before they do', () => {
    expect(framed(withHeader('{"a":1}').slice(0, -1)).events).toEqual([]);
  });

  it('B6: above the limit are discarded, told with their length, and the next is intact', () => {
    const stream = withHeader(`{"a":"${'x'.repeat(5000)}"}`) + withHeader('{}');
    expect(framed(stream, { limit: 100, sizes: [700] }).events).toEqual(['oversized 5008 1024 1024', '{}']);
  });

  it('B7: of a length that nobody can wait for are given up', () => {
    expect(framed('Content-Length: 1000001\r\n\r\n{').events).toEqual(['endless']);
  });
});

describe('any chunking', () => {
  it('gives the same messages, by either framing, however many lines are taken in one turn', () => {
    const message = fc.oneof(fc.constantFrom('{}', '{"a":[1,\n2]}', '{"日":"\\n"}'), fc.constant('{"x":1}'));
    fc.assert(
      fc.property(
        fc.array(message, { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 3 }),
        (messages, isWithHeaders, sizes, maxLines) => {
          const oneLine = messages.map((text) => text.replaceAll('\n', ' '));
          const stream = isWithHeaders
            ? messages.map((text) => withHeader(text)).join('')
            : oneLine.map((text) => `${text}\n`).join('');
          const events: string[] = [];
          const framer = new MessageFramer(
            { line: (line) => events.push(line.toString()), oversized: () => events.push('oversized') },
            NO_LIMIT,
          );
          for (const chunk of chunkedBytes(Buffer.from(stream), sizes)) {
            for (let rest: Buffer | undefined = chunk; rest !== undefined;) {
              rest = framer.push(rest, maxLines);
            }
          }
          framer.end();
          expect(events).toEqual(oneLine);
        },
      ),
    );
  });
});
