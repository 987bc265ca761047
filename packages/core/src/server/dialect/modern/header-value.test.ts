import { anyText } from '@mcpmux/testing/any-text';
import fc from 'fast-check';
import { validateHeaderValue } from 'node:http';
import { describe, expect, it } from 'vitest';

import { headerValue } from './header-value.js';

/** As servers read it. */
function decoded(value: string): string {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString();
}

describe('the value of a header', () => {
  it.each([
    ['us-west1', 'us-west1'],
    ['us west 1', 'us west 1'],
    ['a\tb', 'a\tb'],
    ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['\tindented', '=?base64?CWluZGVudGVk?='],
    ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
    ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
    ['', '=?base64??='],
  ])('of %j is %j', (text, value) => {
    expect(headerValue(text)).toBe(value);
  });

  it('can be sent, and read as the text that it was', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const value = headerValue(text);
        validateHeaderValue('mcp-name', value);
        expect(value.trim()).toBe(value);
        expect(decoded(value)).toBe(Buffer.from(text).toString());
      }),
    );
  });
});
