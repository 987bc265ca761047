import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { measureHeldBufferBytes } from '@mcpmux/testing/held-memory';
import { propertyRuns } from '@mcpmux/testing/property-runs';
import { keyPaths } from '../json/key-paths.js';
import { MessageReader, readMessage } from './message-reader.js';

const WANTED = keyPaths(['name', 'task', '_meta.progressToken']);
const MIB = 1024 * 1024;

/** Lines of every kind: what one of them has, another lacks. */
const LINES = [
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":7}}}',
  '{"jsonrpc":"2.0","id":2,"method":"ping"}',
  '{"id":3,"method":"ping","params":{"task":{}}}',
  '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  '{"jsonrpc":"2.0","method":"notifications/x","params":{"name":"b"}}',
  '{"jsonrpc":"2.0","id":4,"result":{}}',
  '{"jsonrpc":"2.0","id":5,"error":{"code":1,"message":"x"}}',
  '{"jsonrpc":"2.0","id":6,"method":"x","params":{"name":"a","name":"b"}}',
  '{"jsonrpc":"2.0","id":7,"id":8,"method":"x"}',
  '{"jsonrpc":"2.0","id":9,"method":"x","params":{"_meta":{"progressToken":1,"progressToken":2}}}',
  '{"jsonrpc":"2.0","id":10,"METHOD":"x"}',
  '{"jsonrpc":"2.0","id":11,"method":"x","params":{"name":',
  '{"jsonrpc":"2.0"}',
  '[1,2]',
  'no JSON',
].map((line) => Buffer.from(line));

/** Sequences of messages as peers write them: of few layouts, with values of all kinds, now and then damaged. */
const layouts = fc.constantFrom(
  (id: string, value: string) => `{"jsonrpc":"2.0","id":${id},"result":${value}}`,
  (id: string, value: string) => `{"result":${value},"jsonrpc":"2.0","id":${id}}`,
  (id: string, value: string) => `{"jsonrpc":"2.0","id":${id},"error":{"code":-1,"message":${value}}}`,
  (id: string, value: string) => `{"method":"x","params":{"name":${value}},"jsonrpc":"2.0","id":${id}}`,
  (id: string, value: string) =>
    `{"method":"x","params":{"name":"a","_meta":{"progressToken":${value},"x":${id}}},"id":${id}}`,
  (id: string, value: string) => `{ "id" : ${id}, "method" : "x", "params" : {"task":${value}, "y":${id}} }`,
  (id: string, value: string) => `{"method":"n","params":{"inner":${value},"other":${id}}}`,
  (id: string, value: string) => `{"method":"n","params":{"inner":{"a":${value},"b":2}},"more":${id}}`,
  (id: string, value: string) => `{"method":"n","params":${value}}`,
);
const values = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
  fc.constantFrom(
    '{"a":1,"a":2}',
    '"',
    '',
    '1,"id":3',
    'tru',
    ' 1',
    '1 ',
    '"a" , "b":1',
    `"${'x'.repeat(1100)}"`,
  ),
);
const damage = fc.oneof(
  { weight: 7, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.nat(), fc.constantFrom('{', '}', '[', ']', '"', ',', ':', '\\', ' ', '0', 'a')),
  },
);
/** A peer writes few kinds of messages. */
const peerLines = fc.array(layouts, { minLength: 1, maxLength: 3 }).chain((few) =>
  fc.array(
    fc.tuple(fc.constantFrom(...few), fc.constantFrom('1', '"a"', '7.5', '{"a":[]}'), values, damage),
    {
      minLength: 8,
      maxLength: 24,
    },
  ),
);

function damaged(line: string, [at, by]: readonly [number, string]): string {
  const index = at % line.length;
  return line.slice(0, index) + by + line.slice(index + 1);
}

describe('MessageReader', () => {
  it('reads the lines of one peer, some damaged, as if each were the first', () => {
    const wanted = keyPaths(['name', 'task', '_meta.progressToken', 'inner', 'inner.a']);
    fc.assert(
      fc.property(peerLines, (all) => {
        const lines = all
          .map(([layout, id, value, change]) =>
            change ? damaged(layout(id, value), change) : layout(id, value),
          )
          .map((line) => Buffer.from(line));
        const reader = new MessageReader(wanted);
        const fresh = lines.map((line) => readMessage(line, wanted));
        expect(lines.map((line) => reader.read(line))).toEqual(fresh);
      }),
      propertyRuns(250),
    );
  });

  it('reads each line as if it were the first', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...LINES), { maxLength: 20 }), (lines) => {
        const reader = new MessageReader(WANTED);
        const fresh = lines.map((line) => readMessage(line, WANTED));
        expect(lines.map((line) => reader.read(line))).toEqual(fresh);
      }),
      propertyRuns(100),
    );
  });

  it('counts the levels around a value inside of `params`', () => {
    const lineWith = (levels: number): Buffer =>
      Buffer.from(
        `{"id":1,"method":"x","params":{"_meta":{"x":${'['.repeat(levels)}${']'.repeat(levels)}}}}`,
      );
    const reader = new MessageReader(WANTED);
    const kinds = [1, 2, 253, 254].map((levels) => reader.read(lineWith(levels)).kind);
    expect(kinds).toEqual(['request', 'request', 'request', 'malformed']);
  });

  it('leaves a message alone when it reads the next', () => {
    const reader = new MessageReader(WANTED);
    const first = reader.read(LINES[0] ?? Buffer.alloc(0));
    const before = structuredClone({ ...first, params: 'params' in first ? [...first.params] : [] });
    for (const line of LINES) reader.read(line);
    expect({ ...first, params: 'params' in first ? [...first.params] : [] }).toEqual(before);
  });

  it('keeps no line alive that it has read', () => {
    const reader = new MessageReader(WANTED);
    const before = measureHeldBufferBytes();
    // in a function of its own: this one would keep the line
    const readLong = (): string =>
      reader.read(Buffer.from(`{"id":1,"result":"${'x'.repeat(5 * MIB)}"}`)).kind;
    expect(readLong()).toBe('response');
    expect(measureHeldBufferBytes() - before).toBeLessThan(MIB);
  });
});
