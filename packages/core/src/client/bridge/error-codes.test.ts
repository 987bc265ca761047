import { readMessage, splice } from '@mcpmux/wire';
import { describe, expect, it } from 'vitest';

import { internalErrorEdits, requiredCapabilityNames } from './error-codes.js';

function errorIn(error: object) {
  const line = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, error }));
  const message = readMessage(line, []);
  if (message.kind !== 'response' || message.error === undefined) throw new Error('no error');
  return { line, span: message.error };
}

describe('an error of a modern server', () => {
  it.each([-32_020, -32_022])('is the own one of mcpmux where the client has no part in it: %i', (code) => {
    const error = { message: 'x', code, data: { supported: ['2030-01-01'], code: 1 } };
    const { line, span } = errorIn(error);
    const answered: unknown = JSON.parse(splice(line, internalErrorEdits(line, span)).toString());
    expect(answered).toEqual({ jsonrpc: '2.0', id: 1, error: { ...error, code: -32_603 } });
  });

  it.each([-32_021, -32_602, -32_601, -32_000])('stays as it is otherwise: %i', (code) => {
    const { line, span } = errorIn({ code, message: 'x' });
    expect(internalErrorEdits(line, span)).toEqual([]);
  });

  it('names the capabilities that it requires', () => {
    const { line, span } = errorIn({
      code: -32_021,
      message: 'x',
      data: { requiredCapabilities: { roots: {}, sampling: {} } },
    });
    expect(requiredCapabilityNames(line, span)).toBe('roots, sampling');
    const bare = errorIn({ code: -32_021, message: 'x' });
    expect(requiredCapabilityNames(bare.line, bare.span)).toBe('a capability');
  });
});
