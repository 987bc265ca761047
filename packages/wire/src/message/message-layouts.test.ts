import { describe, expect, it, vi } from 'vitest';

import { JsonReader } from '../json/json-reader.js';
import { keyPaths } from '../json/key-paths.js';
import type { ReadValue } from './message-layout.js';
import { MessageLayouts } from './message-layouts.js';
import type { Message } from './message.js';
import { MessageReader, readMessage } from './message-reader.js';

const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{}}}';
const WANTED = keyPaths(['name']);

type Value = readonly [text: string, role: ReadValue['role'], path?: string];

/** Learns `line`, whose values are these texts, from left to right. */
function learn(layouts: MessageLayouts, line: string, ...values: readonly Value[]): void {
  let from = 0;
  const found = values.map(([text, role, path = '']) => {
    const start = line.indexOf(text, from);
    from = start + text.length;
    return { role, path, depth: 1, start, end: from };
  });
  layouts.learn(readMessage(Buffer.from(line), WANTED), Buffer.from(line), found);
}

function read(layouts: MessageLayouts, line: string): Message | undefined {
  const bytes = Buffer.from(line);
  return layouts.read(bytes, new JsonReader(bytes));
}

function withCall(): MessageLayouts {
  const layouts = new MessageLayouts();
  learn(layouts, CALL, ['1', 'id'], ['"a"', 'param', 'name'], ['{}', 'other']);
  return layouts;
}

describe('a line of a known layout', () => {
  it.each([
    CALL,
    CALL.replace('"id":1', '"id":"\\u0061"'),
    CALL.replace('"a"', '[1,{"name":2}]'),
    CALL.replace('{}}}', '{"name":"b","id":3}}}'),
  ])('is the message that it would be otherwise: %s', (line) => {
    expect(read(withCall(), line)).toEqual(readMessage(Buffer.from(line), WANTED));
  });

  it.each<[string, string, ...Value[]]>([
    ['a response', '{"result":{},"jsonrpc":"2.0","id":1}', ['{}', 'result'], ['1', 'id']],
    ['an error', '{"jsonrpc":"2.0","id":1,"error":{"code":1}}', ['1', 'id'], ['{"code":1}', 'error']],
    ['a notification', '{"method":"x","params":{"name":1}}', ['1', 'param', 'name']],
    ['one without a version', '{"id":1,"method":"x"}', ['1', 'id']],
    ['one without values', '{"method":"x"}'],
  ])('can be %s', (_what, line, ...values) => {
    const layouts = new MessageLayouts();
    learn(layouts, line, ...values);
    const other = line.replaceAll('1', '234').replace('{}', '{"a":[]}');
    expect(read(layouts, other)).toEqual(readMessage(Buffer.from(other), WANTED));
  });
});

describe('a line is of no known layout', () => {
  it.each([
    ['when a key is another', CALL.replace('arguments', 'argumentz')],
    ['when a method is another', CALL.replace('tools/call', 'tools/list')],
    ['when it has a member more', CALL.replace('{}}}', '{},"x":1}}')],
    ['when it has one twice', CALL.replace('{}}}', '{}},"id":2}')],
    ['when it has white space elsewhere', CALL.replace('"id":1', '"id": 1')],
    ['when something follows', `${CALL}}`],
    ['when it is cut', CALL.slice(0, -1)],
    ['when it is empty', ''],
    ['when a value is none', CALL.replace('{}}}', '{]}}')],
    ['when a value is missing', CALL.replace('"a"', '')],
  ])('%s', (_why, line) => {
    expect(read(withCall(), line)).toBeUndefined();
  });

  it('when it is long', () => {
    const line = (length: number): string =>
      CALL.replace('{}}}', `{"x":"${'x'.repeat(length - CALL.length - 6)}"}}}`);
    expect(line(1024)).toHaveLength(1024);
    expect(read(withCall(), line(1024))).toBeDefined();
    expect(read(withCall(), line(1025))).toBeUndefined();
  });
});

describe('of all layouts', () => {
  const lineOf = (number: number): string => `{"jsonrpc":"2.0","method":"notifications/${number}"}`;

  const numbers = Array.from({ length: 12 }, (_, index) => index);

  const known = (layouts: MessageLayouts): number[] =>
    numbers.filter((number) => read(layouts, lineOf(number)) !== undefined);

  it('the two are known that have come last', () => {
    const layouts = new MessageLayouts();
    for (const number of [1, 2, 3]) learn(layouts, lineOf(number));
    expect(known(layouts)).toEqual([2, 3]);
  });

  it('one that comes again stays', () => {
    const layouts = new MessageLayouts();
    for (const number of [1, 2]) learn(layouts, lineOf(number));
    read(layouts, lineOf(1));
    learn(layouts, lineOf(3));
    expect(known(layouts)).toEqual([1, 3]);
  });

  it('few more are tried and learned when none has been of use for long, until one is', () => {
    const layouts = new MessageLayouts();
    const wanted = (count: number): number => {
      let times = 0;
      for (let line = 0; line < count; line += 1) {
        read(layouts, `{"${line}":0}`);
        if (layouts.wantsMore) times += 1;
      }
      return times;
    };
    expect([wanted(16), wanted(160)]).toEqual([16, 10]);
    learn(layouts, CALL, ['1', 'id'], ['"a"', 'param', 'name'], ['{}', 'other']);
    const hits = numbers
      .map(() => read(layouts, CALL))
      .concat(Array.from({ length: 4 }, () => read(layouts, CALL)));
    expect(hits.findIndex((message) => message !== undefined)).toBeLessThan(16);
    expect(wanted(16)).toBe(16);
  });

  it('long lines do not count, wherever they come', () => {
    const layouts = new MessageLayouts();
    const long = 'x'.repeat(1025);
    for (let line = 0; line < 17; line += 1) read(layouts, long);
    let times = 0;
    for (let line = 0; line < 16; line += 1) {
      read(layouts, long);
      read(layouts, '{}');
      if (layouts.wantsMore) times += 1;
    }
    expect(times).toBe(16);
  });

  it('none is learned of a long line, or of one with many values', () => {
    const layouts = new MessageLayouts();
    const wants = [1024, 1025].map((length) => {
      read(layouts, 'x'.repeat(length));
      return layouts.wantsMore;
    });
    expect(wants).toEqual([true, false]);
    const many = `{"method":"x","params":{${numbers.map((number) => `"a${number}":1,"b${number}":1`).join()}}}`;
    learn(
      layouts,
      many,
      ...numbers.flatMap((): Value[] => [
        ['1', 'other'],
        ['1', 'other'],
      ]),
    );
    expect(read(layouts, many)).toBeUndefined();
  });

  it('none is made of a malformed line', () => {
    const layouts = new MessageLayouts();
    learn(layouts, '{"jsonrpc":"2.0"}');
    expect(read(layouts, '{"jsonrpc":"2.0"}')).toBeUndefined();
  });
});

describe('a reader of messages', () => {
  const messages = [
    ['calls', (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"x","params":{"name":"a${id}"}}`],
    [
      'calls with a token',
      (id: number) => `{"id":${id},"method":"x","params":{"_meta":{"token":${id}},"a":[]}}`,
    ],
    ['calls without params', (id: number) => `{"method":"x","params":null,"jsonrpc":"2.0","id":"${id}"}`],
    ['results', (id: number) => `{"result":{"a":[${id}]},"jsonrpc":"2.0","id":${id}}`],
    ['errors', (id: number) => `{"jsonrpc":"2.0","id":${id},"error":{"code":${id}}}`],
    ['notifications', (id: number) => `{"jsonrpc": "2.0", "method": "x", "params": {"other": ${id}}}`],
  ] as const;

  it.each(messages)('reads %s by their layout, from the third on', (_, message) => {
    const known = vi.spyOn(MessageLayouts.prototype, 'read');
    const reader = new MessageReader(keyPaths(['name', '_meta.token']));
    for (const id of [1, 2, 3, 44]) reader.read(Buffer.from(message(id)));
    expect(known.mock.results.map(({ value }) => value !== undefined)).toEqual([false, false, true, true]);
    known.mockRestore();
  });

  it('makes no layout where a wanted value has wanted ones inside', () => {
    const known = vi.spyOn(MessageLayouts.prototype, 'read');
    const reader = new MessageReader(keyPaths(['task', 'task.id']));
    for (const id of [1, 2, 3]) reader.read(Buffer.from(`{"method":"x","params":{"task":{"id":${id}}}}`));
    expect(known.mock.results.map(({ value }) => value !== undefined)).toEqual([false, false, false]);
    known.mockRestore();
  });
});
