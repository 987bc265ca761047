import { describe, expect, it } from 'vitest';

import { JsonReader } from './json-reader.js';
import { keyPaths } from './key-paths.js';
import type { ReadValue } from './message-layout.js';
import { MAX_LAYOUT_LINE_BYTES, MessageLayouts } from './message-layouts.js';
import type { Message } from './message.js';
import { readMessage } from './message-reader.js';

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
    expect(line(MAX_LAYOUT_LINE_BYTES)).toHaveLength(MAX_LAYOUT_LINE_BYTES);
    expect(read(withCall(), line(MAX_LAYOUT_LINE_BYTES))).toBeDefined();
    expect(read(withCall(), line(MAX_LAYOUT_LINE_BYTES + 1))).toBeUndefined();
  });
});

describe('of all layouts', () => {
  const lineOf = (number: number): string => `{"jsonrpc":"2.0","method":"notifications/${number}"}`;

  it('the four are known that have come last', () => {
    const layouts = new MessageLayouts();
    for (const number of [1, 2, 3, 4, 5]) learn(layouts, lineOf(number));
    const known = [1, 2, 3, 4, 5].filter((number) => read(layouts, lineOf(number)) !== undefined);
    expect(known).toEqual([2, 3, 4, 5]);
  });

  it('one that comes again stays', () => {
    const layouts = new MessageLayouts();
    for (const number of [1, 2, 3, 4]) learn(layouts, lineOf(number));
    read(layouts, lineOf(1));
    for (const number of [5, 6, 7]) learn(layouts, lineOf(number));
    const known = [1, 2, 3, 4, 5, 6, 7].filter((number) => read(layouts, lineOf(number)) !== undefined);
    expect(known).toEqual([1, 5, 6, 7]);
  });

  it('none is made of a malformed line', () => {
    const layouts = new MessageLayouts();
    learn(layouts, '{"jsonrpc":"2.0"}');
    expect(read(layouts, '{"jsonrpc":"2.0"}')).toBeUndefined();
  });
});
