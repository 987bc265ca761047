import { describe, expect, it } from 'vitest';

import { deniedKind, withoutDenied } from './client-requests.js';

describe('what a server may not ask for', () => {
  it.each([
    ['sampling/createMessage', 'sampling'],
    ['elicitation/create', 'elicitation'],
    ['roots/list', 'roots'],
  ] as const)('G6: is told by the method: %s is %s', (method, kind) => {
    expect(deniedKind(method, ['sampling', 'elicitation', 'roots'])).toBe(kind);
    expect(deniedKind(method, [])).toBeUndefined();
  });

  it.each(['ping', 'constructor', 'x/unknown'])('G6: is nothing else: %s', (method) => {
    expect(deniedKind(method, ['sampling', 'elicitation', 'roots'])).toBeUndefined();
  });

  it('G6: is no capability of the client that the server is told of', () => {
    const capabilities = { sampling: {}, roots: {}, tasks: {} };
    const profile = { protocolVersion: '2025-11-25', capabilities } as const;
    expect(withoutDenied(profile, ['sampling']).capabilities).toEqual({ roots: {}, tasks: {} });
    expect(withoutDenied(profile, [])).toBe(profile);
  });
});
