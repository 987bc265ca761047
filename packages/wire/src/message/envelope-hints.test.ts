import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { propertyRuns } from '@mcpmux/testing/property-runs';
import { brokenMessage, messageWithIds } from '../testing/arbitrary-ids.js';
import type { EnvelopeHints } from './envelope-hints.js';
import { hintsOf, readMessage } from './message-reader.js';

const DEEP = '['.repeat(5000) + ']'.repeat(5000);

/** The hints in both ends of a message: in the middle, at the dots, most of it is missing. */
function hintsIn(message: string): EnvelopeHints {
  const [head = '', tail = ''] = message.split('...');
  return hintsOf(Buffer.from(head), Buffer.from(tail));
}

/** The hints of a line that came whole and is no message. */
function hintsOfLine(text: string): EnvelopeHints | undefined {
  const message = readMessage(Buffer.from(text), []);
  return message.kind === 'malformed' ? message.hints : undefined;
}

describe('hintsOf', () => {
  it.each([
    ['the first member', '{"id":77,"method":"m","params":{"id":5,"t":"aaa...aaa","id":6}}', '77', 'calling'],
    ['behind jsonrpc', '{"jsonrpc":"2.0","id":-7,"result":{"t":"aaa...aaa","id":6},"x":1}', '-7', 'response'],
    ['before jsonrpc', '{"id":7,"jsonrpc":"2.0","error":{"t":"aaa...aaa","id":6}}', '7', 'response'],
    ['before the params', '{"method":"m","\\u0069d":"7","params":{"t":"aaa...aaa"}}', '"7"', 'calling'],
    [
      'the last member',
      '{"method":"m","params":{"id":5,"t":"aaa...aaa"},"jsonrpc":"2.0","id":7}',
      '7',
      'calling',
    ],
    ['the last member of a response', '{"result":{"t":"aaa...aaa"},"jsonrpc":"2.0","id":7}', '7', 'response'],
    [
      'the last but jsonrpc',
      '{"result":["aaa...aaa",{"id":1}], "id" : 7 , "jsonrpc":"2.0" }\r',
      '7',
      'response',
    ],
    ['a string with escapes', '{"result":["aaa...aaa"],"id":"a\\"b\\u00e9é"}', '"a\\"b\\u00e9é"', 'response'],
    ['in both ends, and the same', '{"id":7,"params":"aaa...aaa","id":7}', '7', 'calling'],
    ['beside a method that is null', '{"id":7,"method":null,"result":"aaa...aaa"}', '7', 'response'],
  ])('B6: finds the id that is %s', (_, message, id, kind) => {
    expect(hintsIn(message)).toEqual({ id, hasId: true, kind });
  });

  it.each([
    ['the ends differ', '{"id":7,"params":"aaa...aaa","id":8}'],
    ['one end has two', '{"id":7,"id":7,"params":"aaa...aaa"}'],
    ['it is no legal one', '{"id":7.5,"params":{"t":"aaa...aaa"}}'],
    ['it is legal in one end only', '{"id":null,"params":"aaa...aaa","id":7}'],
    ['it is no legal one at the end', '{"params":{"id":8,"t":"aaa...aaa"},"id":7.5}'],
    ['it is no JSON at the end', '{"params":{"t":"aaa...aaa"},"id":07}'],
    ['one of two is no JSON', '{"id":7,"params":"aaa...aaa","id":tru}'],
    ['it is cut', '{"params":{},"id":7...},"b":1}'],
    ['it is cut between its key and its value', '{"params":{},"id":...5,"b":1}'],
    ['it is a string that is cut', '{"params":{},"id":"abc...def","b":1}}'],
  ])('knows of an id, and not which, when %s', (_, message) => {
    expect(hintsIn(message)).toEqual({ id: undefined, hasId: true, kind: 'calling' });
  });

  it.each([
    ['it is only that of an object inside', '{"method":"m","params":{"id":8,"t":"aaa...aaa","id":9}}'],
    ['it is the only member of an object inside', '{"params":{"id":8,"t":["aaa...aaa",{"id":9}'],
    ['it stands in a string', '{"params":"aaa...\\",\\"id\\":7}"}'],
    ['the end of a string looks like it', '{"params":"aaa...\\",\\"id":7}'],
    ['it is a string at the end that is no JSON', '{"params":{"t":"aaa...aaa"},"id":"\u0001"}'],
    ['the message is quoted by a log', 'log {"x":"aaa...aaa"},"id":7}'],
    ['it is an array that is cut', '[{"id":8,"params":"aaa...aaa"},{"params":1,"id":7}'],
    ['it is a batch', '[{"id":7,"params":"aaa...aaa"},{"id":8}]'],
  ])('finds no id when %s', (_, message) => {
    expect(hintsIn(message)).toMatchObject({ id: undefined, hasId: false });
  });

  it.each([
    ['{"id":1,"method":', 'calling'],
    ['{"id":1,"params":', 'calling'],
    ['{"id":1,"method":"m"', 'calling'],
    ['{"id":1,"result":', 'response'],
    ['{"id":1,"result":null,"error":{"code', 'response'],
    ['{"id":1,"result":null,"err', 'unknown'],
    ['{"id":1,"method"', 'unknown'],
    ['{"id":1,"x":{"method":"m","result":1},"y":"method"', 'unknown'],
    ['{"id":1,"result":{},"method":"m"', 'calling'],
    ['{"id":1,"method":"m","method":null', 'calling'],
    ['{"id":1,"params":null,"result":1', 'response'],
  ])('tells of %s what kind of message it is', (text, kind) => {
    expect(hintsIn(text).kind).toBe(kind);
  });

  it('names no id, method or result that is not of the message itself, wherever that is cut', () => {
    let found = 0;
    fc.assert(
      fc.property(messageWithIds, fc.nat(), fc.nat(), ({ text, members }, one, other) => {
        const bytes = Buffer.from(text);
        const head = 1 + (one % bytes.length);
        const tail = head + (other % (bytes.length - head + 1));
        const { id, hasId, kind } = hintsOf(bytes.subarray(0, head), bytes.subarray(tail));
        const named = new Set(members.map(({ name }) => name));
        const ids = members.filter(({ name }) => name === 'id').map(({ value }) => value);
        expect(id === undefined || ids.includes(id)).toBe(true);
        expect([hasId && !named.has('id'), kind === 'response' && !named.has('result')]).toEqual([
          false,
          false,
        ]);
        expect(kind === 'calling' && !named.has('method') && !named.has('params')).toBe(false);
        if (id !== undefined) found += 1;
      }),
      propertyRuns(1000),
    );
    expect(found).toBeGreaterThan(60);
  });

  it('takes any text', () => {
    fc.assert(
      fc.property(brokenMessage, brokenMessage, (head, tail) => {
        expect(() => hintsOf(Buffer.from(head), Buffer.from(tail))).not.toThrow();
      }),
      propertyRuns(1000),
    );
  });
});

describe('the hints of a malformed message', () => {
  it.each([
    [`{"method":"x","params":{"a":${DEEP}},"jsonrpc":"2.0","id":4}`, '4', 'calling'],
    [`{"id":4,"result":{"id":5,"a":${DEEP}}}`, '4', 'response'],
    [`{"result":{"id":5,"a":${DEEP}},"id":4}`, '4', 'response'],
    ['{"id":4,"result":tru,"id":5}', '4', 'response'],
    ['{"id":4,"result":1,"result":2}', '4', 'response'],
    ['{"jsonrpc":"2.0","id":4,"method":"a","params":{"b', '4', 'calling'],
    ['{"id":4,"result":{}} trailing', '4', 'response'],
  ])('B11, B22: are read up to where it breaks off: %s', (text, id, kind) => {
    expect(hintsOfLine(text)).toEqual({ id, hasId: true, kind });
  });

  it.each([
    [`{"id":4,"result":${DEEP},"id":5}`, true],
    [`{"id":${DEEP},"result":{"a":1,"id":5}}`, true],
    ['{"id":4,"result":1,"id":5}', true],
    ['{"id":4', true],
    ['{"id":4x,"result":1}', true],
    ['{"id":4"result":1}', true],
    ['{"result":tru,"id":4}', false],
    ['{"result":{"x":tru},"a":1,"id":4}', false],
  ])('name no id when it is ambiguous, cut, or behind damage: %s', (text, hasId) => {
    expect(hintsOfLine(text)).toMatchObject({ id: undefined, hasId });
  });
});
