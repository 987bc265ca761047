import { idKey, keyPaths, MessageReader, readId } from '@mcpmux/wire';
import { propertyRuns } from '@mcpmux/testing/property-runs';
import fc from 'fast-check';
import { expect, it } from 'vitest';

import { plainCallId, plainResultId } from './plain-call.js';

const call = (id: unknown): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'a', arguments: { id: 7 } },
});
const result = (id: unknown): object => ({ jsonrpc: '2.0', id, result: { content: [], id: 7 } });
const lineOf = (message: object): Buffer => Buffer.from(JSON.stringify(message));
const reader = new MessageReader(keyPaths([]));

/** The members of an object in another order. */
function ordered(message: object, keys: readonly string[]): object {
  return Object.fromEntries(keys.map((key): [string, unknown] => [key, Reflect.get(message, key)]));
}

it.each([
  ['jsonrpc', 'id', 'method', 'params'],
  ['method', 'params', 'jsonrpc', 'id'],
  ['jsonrpc', 'method', 'params', 'id'],
])(
  'a call with its members in the order of an SDK is known by its beginning and its end: %s %s %s %s',
  (...keys) => {
    for (const id of [0, 9, 10, 4711, 999_999_999_999_999])
      expect(plainCallId(lineOf(ordered(call(id), keys)))).toBe(String(id));
  },
);

it.each([
  ['jsonrpc', 'id', 'result'],
  ['result', 'jsonrpc', 'id'],
  ['jsonrpc', 'result', 'id'],
])('so is its result: %s %s %s', (...keys) => {
  expect(plainResultId(lineOf(ordered(result(12), keys)))).toBe('12');
});

it.each([
  call('1'),
  call(-1),
  call(1.5),
  call(1e15),
  { ...call(1), method: 'tools/list' },
  { ...call(1), method: 'tools/call/x' },
  { method: 'tools/call', params: {}, jsonrpc: '2.0' },
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
  { mcpmux: 'leave' },
  { jsonrpc: '2.0', id: 1, error: { code: 1, message: '' } },
  [call(1)],
])('any other line is read as a whole: %j', (message) => {
  expect(plainCallId(lineOf(message))).toBeUndefined();
  expect(plainResultId(lineOf(message))).toBeUndefined();
});

it.each([
  '',
  '{',
  '}',
  '"id":1}',
  '{"result":1}',
  '{"jsonrpc":"2.0","id":',
  '{"jsonrpc":"2.0","id":01,"result":1}',
])('a piece of a line is none: %s', (text) => {
  expect(plainCallId(Buffer.from(text))).toBeUndefined();
  expect(plainResultId(Buffer.from(text))).toBeUndefined();
});

it('tells of every message what its reader tells, or nothing', () => {
  // One that has both a method and a result is no message.
  const keys = fc.oneof(
    ...['method', 'result'].map((kind) =>
      fc.shuffledSubarray(['jsonrpc', 'id', kind, 'params', 'x'], { minLength: 1 }),
    ),
  );
  const id = fc.oneof(
    fc.nat(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string(),
  );
  fc.assert(
    fc.property(keys, id, fc.json(), (chosen, value, json) => {
      const members = { ...call(value), result: JSON.parse(json) as unknown, x: `,"id":3}` };
      const line = lineOf(ordered(members, chosen));
      const message = reader.read(line);
      const read = 'id' in message && message.id !== undefined ? readId(line, message.id) : undefined;
      const key = read !== undefined && 'id' in read ? idKey(read.id) : undefined;
      const isCall = message.kind === 'request' && message.method === 'tools/call';
      expect([undefined, isCall ? key : undefined]).toContain(plainCallId(line));
      expect([undefined, message.kind === 'response' ? key : undefined]).toContain(plainResultId(line));
    }),
    propertyRuns(500),
  );
});
