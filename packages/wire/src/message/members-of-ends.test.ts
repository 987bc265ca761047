import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { messageWithIds } from '../testing/arbitrary-ids.js';
import { membersInParts, textsOf } from '../testing/members-in-parts.js';
import { membersOfEnds } from './members-of-ends.js';
import { idOf } from './own-members.js';

/** The id that is found in both ends of a message: in the middle, at the dots, most of it is missing. */
function idIn(message: string): string | undefined {
  const [head = '', tail = ''] = message.split('...');
  return idOf(membersOfEnds({ head: Buffer.from(head), tail: Buffer.from(tail) }));
}

describe('the members of the ends of a message', () => {
  it.each([
    ['the last member', '{"method":"m","params":{"id":5,"t":"aaa...aaa"},"jsonrpc":"2.0","id":77}', '77'],
    ['the last member, a string', '{"params":{"id":5,"t":"aaa...aaa","id":6}, "id" : "a\\"b" }\r', '"a\\"b"'],
    ['the first member', '{"id":77,"method":"m","params":{"id":5,"t":"aaa...aaa","id":6}}', '77'],
    ['behind jsonrpc', '{"jsonrpc":"2.0","id":-7,"params":{"t":"aaa...aaa","id":6},"x":1}', '-7'],
    ['before the params', '{"method":"m","\\u0069d":"7","params":{"t":"aaa...aaa","id":6},"x":1}', '"7"'],
    ['in both ends, and the same', '{"id":7,"params":"aaa...aaa","id":7}', '7'],
    ['behind the params, and not the last', '{"params":{"t":"aaa...aaa","id":6},"id":7,"x":{"id":5}}', '7'],
    [
      'longer than any number',
      '{"params":{"id":8,"t":"aaa...aaa"},"id":1234567890123456789}',
      '1234567890123456789',
    ],
    [
      'a long string',
      `{"params":{"id":8,"t":"aaa...aaa"},"id":"${'x'.repeat(900)}"}`,
      `"${'x'.repeat(900)}"`,
    ],
    ['written with an escape', '{"params":{"id":8,"t":"aaa...aaa"},"\\u0069d":7}', '7'],
  ])('finds the id that is %s', (_, message, expected) => {
    expect(idIn(message)).toBe(expected);
  });

  it.each([
    ['the ends differ', '{"id":7,"params":"aaa...aaa","id":8}'],
    ['one end has two', '{"id":7,"id":8,"params":"aaa...aaa"}'],
    ['it is no legal one', '{"id":7.5,"params":{"t":"aaa...aaa","id":6}}'],
    ['it is no legal one and the last member', '{"params":{"id":8,"t":"aaa...aaa"},"id":7.5}'],
    ['it is legal in one end only', '{"id":7,"params":"aaa...aaa","id":null}'],
    ['it is cut', '{"method":"m","id":7...},"b":1}'],
    ['it is cut between its key and its value', '{"method":"m","id":...5,"b":1}'],
    ['it is a string that is cut', '{"method":"m","id":"abc...def","b":1}}'],
    ['it is only that of an object inside', '{"method":"m","params":{"id":8,"t":"aaa...aaa","id":9}}'],
    ['one stands whole in one end and is cut in the other', '{"id":7,"params":"aaa","id":7...,"x":1}'],
    ['one in the other end is no JSON', '{"id":7,"params":"aaa...aaa","id":tru}'],
    ['there is none', '{"method":"m","params":"aaa...aaa"}'],
    ['the message is quoted by a log', 'log {"x":"aaa...aaa"},"id":7}'],
    ['it is an array that is cut', '[{"id":8,"params":"aaa...aaa"},{"params":1,"id":7}'],
    ['it is a batch', '[{"id":7,"params":"aaa...aaa"},{"id":8}]'],
  ])('finds none when %s', (_, message) => {
    expect(idIn(message)).toBeUndefined();
  });

  it('are found before and behind what is missing, whatever that is', () => {
    fc.assert(
      fc.property(messageWithIds, fc.nat(), fc.nat(), ({ text, members }, one, other) => {
        const head = 1 + (one % text.length);
        const tail = head + (other % (text.length - head + 1));
        const ends = { head: Buffer.from(text.slice(0, head)), tail: Buffer.from(text.slice(tail)) };
        expect(textsOf(membersOfEnds(ends))).toEqual(membersInParts(members, { head, tail }));
      }),
      { numRuns: 2000 },
    );
  });
});
