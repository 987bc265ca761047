import { describe, expect, it } from 'vitest';

import { recoverRequestId } from './recover-request-id.js';

/** What is found in both ends of a message: in the middle, at the dots, most of it is missing. */
function idIn(message: string): string | undefined {
  const [head = '', tail = ''] = message.split('...');
  return recoverRequestId(Buffer.from(head), Buffer.from(tail));
}

describe('recoverRequestId', () => {
  it.each([
    ['the last member', '{"method":"m","params":{"id":5,"t":"aaa...aaa"},"jsonrpc":"2.0","id":77}', '77'],
    ['the last member, a string', '{"params":{"id":5,"t":"aaa...aaa","id":6}, "id" : "a\\"b" }\r', '"a\\"b"'],
    ['the first member', '{"id":77,"method":"m","params":{"id":5,"t":"aaa...aaa","id":6}}', '77'],
    ['behind jsonrpc', '{"jsonrpc":"2.0","id":-7,"params":{"t":"aaa...aaa","id":6},"x":1}', '-7'],
    ['before the params', '{"method":"m","\\u0069d":"7","params":{"t":"aaa...aaa","id":6},"x":1}', '"7"'],
    ['in both ends, and the same', '{"id":7,"params":"aaa...aaa","id":7}', '7'],
    ['behind the params, and the only one', '{"method":"m","params":"aaa...aaa","id":7,"x":1}', '7'],
  ])('finds the id that is %s', (_, message, expected) => {
    expect(idIn(message)).toBe(expected);
  });

  it.each([
    ['the ends differ', '{"id":7,"params":"aaa...aaa","id":8}'],
    ['it is no legal one', '{"id":7.5,"params":{"t":"aaa...aaa","id":6}}'],
    ['there are several behind the params', '{"method":"m","params":{"t":"aaa...aaa","id":6},"id":7,"x":1}'],
    ['it is cut', '{"method":"m","id":7...aaa"}}'],
    ['there is none', '{"method":"m","params":"aaa...aaa"}'],
  ])('finds none when %s', (_, message) => {
    expect(idIn(message)).toBeUndefined();
  });
});
