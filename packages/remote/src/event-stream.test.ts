import { describe, expect, it } from 'vitest';

import { EventStream } from './event-stream.js';

/** What a stream tells that comes in these chunks. */
function reported(chunks: readonly (string | Buffer)[], limit = 1000): readonly string[] {
  const heard: string[] = [];
  const stream = new EventStream(
    {
      event: (data, type) => heard.push(`event ${JSON.stringify([type, Buffer.concat(data).toString()])}`),
      id: (id) => heard.push(`id ${id}`),
      retry: (delayMs) => heard.push(`retry ${delayMs}`),
    },
    limit,
  );
  for (const chunk of chunks) stream.push(Buffer.from(chunk));
  return heard;
}

describe('a stream of server-sent events', () => {
  it.each(['\n', '\r', '\r\n'])('with the line ends %j is the same in every cut', (end) => {
    const text = [
      '\ufeff: comment',
      'event: message',
      'id: 1',
      'retry: 50',
      'data: {"a":',
      'data:"é"}',
      '',
      'data',
      '',
    ];
    const whole = Buffer.from(text.map((line) => line + end).join(''));
    const expected = ['retry 50', 'id 1', 'event ["message","{\\"a\\":\\n\\"é\\"}"]', 'event ["",""]'];
    expect(reported([whole])).toEqual(expected);
    expect(reported([...whole].map((byte) => Buffer.of(byte)))).toEqual(expected);
    for (let cut = 1; cut < whole.length; cut += 1)
      expect(reported([whole.subarray(0, cut), whole.subarray(cut)])).toEqual(expected);
  });

  it('tells an id without data, and no id with a null character', () => {
    expect(reported(['id: 1\n\n', 'id: a\0b\ndata: x\n\n', 'id\ndata: y\n\n'])).toEqual([
      'id 1',
      'event ["","x"]',
      'id ',
      'event ["","y"]',
    ]);
  });

  it('takes one space behind the colon away, and ignores fields that the standard does not know', () => {
    expect(reported(['data:  x\nfoo: y\ndatabase: z\nretry: soon\nevent:t\n\n'])).toEqual([
      'event ["t"," x"]',
    ]);
  });

  it('drops an event whose end does not come', () => {
    expect(reported(['data: x\n'])).toEqual([]);
  });

  it.each([
    ['in one chunk', [`data: ${'x'.repeat(30)}`]],
    ['in many lines', Array.from({ length: 9 }, () => 'data: a\n')],
    ['in many empty lines of data', Array.from({ length: 30 }, () => 'data\n')],
    ['of comments', Array.from({ length: 30 }, () => ':x\n')],
    ['byte by byte', `data: ${'x'.repeat(30)}`.split('')],
  ])('throws for an event above the limit that comes %s', (_, chunks) => {
    expect(() => reported(chunks, 16)).toThrow('above the limit of 16 bytes');
  });

  it('may be longer than one event', () => {
    expect(
      reported(
        Array.from({ length: 50 }, () => 'data: abc\n\n'),
        16,
      ),
    ).toHaveLength(50);
  });
});

it.each([
  ['data:', ''],
  ['data', ''],
  ['data: x', 'x'],
])('an event of many lines comes through whole, and counts their newlines: %s', (line, text) => {
  const sent = (limit: number): readonly string[] => reported([`${line}\n`.repeat(20_000), '\n'], limit);
  const data = Array.from({ length: 20_000 }, () => text).join('\n');
  expect(sent(data.length)).toEqual([`event ${JSON.stringify(['', data])}`]);
  expect(() => sent(data.length - 1)).toThrow('above the limit');
});

describe('an event at its limit', () => {
  const LIMIT = 5000;

  it.each([5, 7, 1024, 100_000])(
    'comes through whole, and one byte more does not, in chunks of %i bytes',
    (size) => {
      const sent = (bytes: number): string[] => {
        const events: string[] = [];
        const sink = {
          event: (data: readonly Buffer[]) => void events.push(Buffer.concat(data).toString()),
          id: () => 0,
          retry: () => 0,
        };
        const stream = new EventStream(sink, LIMIT);
        const text = Buffer.from(`data: ${'x'.repeat(bytes)}\n\n`);
        for (let at = 0; at < text.length; at += size) stream.push(text.subarray(at, at + size));
        return events;
      };
      expect(sent(LIMIT)).toEqual(['x'.repeat(LIMIT)]);
      expect(() => sent(LIMIT + 1)).toThrow(`above the limit of ${LIMIT} bytes`);
    },
  );
});

describe('a long event', () => {
  const SIZE = 30_000;
  const values = ['a', 'b', 'é'].map((letter) => letter.repeat(SIZE));
  const text = Buffer.from(`\ufeff${values.map((value) => `data: ${value}\r\n`).join('')}id: 7\r\n\r\n`);

  it.each([3, 1000, 4097, 20_000, 65_536])('is the same in chunks of %i bytes', (size) => {
    const chunks: Buffer[] = [];
    for (let at = 0; at < text.length; at += size) chunks.push(text.subarray(at, at + size));
    expect(reported(chunks, 10 * SIZE)).toEqual(['id 7', `event ${JSON.stringify(['', values.join('\n')])}`]);
  });

  it('comes in the parts in which it was read, where those are long', () => {
    const counts: number[] = [];
    const sink = {
      event: (data: readonly Buffer[]) => counts.push(data.length),
      id: () => 0,
      retry: () => 0,
    };
    const stream = new EventStream(sink, 10 * SIZE);
    const event = Buffer.from(`data: ${'x'.repeat(SIZE)}\n\n`);
    stream.push(event.subarray(0, SIZE / 2));
    stream.push(event.subarray(SIZE / 2));
    for (let at = 0; at < event.length; at += 100) stream.push(event.subarray(at, at + 100));
    expect(counts).toEqual([2, 1]);
  });
});
