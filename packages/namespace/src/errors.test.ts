import { describe, expect, it } from 'vitest';

import { NamespaceError } from './errors.js';

describe('NamespaceError', () => {
  it('is an Error with its own name, a code for programs and a message for readers', () => {
    const error = new NamespaceError('INVALID_SERVER_NAME', 'The server name is empty.');
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe('NamespaceError');
    expect(error.code).toBe('INVALID_SERVER_NAME');
    expect(String(error)).toBe('NamespaceError: The server name is empty.');
  });
});
