import { describe, expect, it } from 'vitest';
import { clientProfileOf, NO_CLIENT, listHabitOf } from './client-profile.js';
import { LEGACY_VERSIONS } from './revisions.js';

describe('what servers are told of a client', () => {
  it.each(LEGACY_VERSIONS)('S12: is its version when mcpmux speaks it: %s', (protocolVersion) => {
    expect(clientProfileOf({ protocolVersion }).protocolVersion).toBe(protocolVersion);
  });

  it.each(['2099-01-01', '', 7, null, undefined])(
    'S12: is the newest version of the handshake when mcpmux does not know its own: %j',
    (protocolVersion) => {
      expect(clientProfileOf({ protocolVersion }).protocolVersion).toBe('2025-11-25');
    },
  );

  it('S12: is every capability it declares, known or not', () => {
    const capabilities = { roots: { listChanged: true }, 'x-vendor': { deep: [1] } };
    expect(clientProfileOf({ capabilities }).capabilities).toBe(capabilities);
  });

  it.each([undefined, null, 'roots', ['roots']])(
    'S12: is no capability when it declares %j',
    (capabilities) => {
      expect(clientProfileOf({ capabilities }).capabilities).toEqual({});
    },
  );

  it('S12: is no capability when there is no client', () => {
    expect(NO_CLIENT).toEqual({ protocolVersion: '2025-11-25', capabilities: {} });
  });
});

it.each([
  ['claude-code', 'requests'],
  ['gemini-cli-mcp-client', 'requests'],
  ['codex-mcp-client', 'ignores'],
  ['Codex', 'ignores'],
  ['my-codex', undefined],
  ['', undefined],
])('a client that calls itself %j: %s', (name, habit) => {
  expect(listHabitOf(name)).toBe(habit);
});

it('a client without a name has no known habit', () => {
  expect(listHabitOf(undefined)).toBeUndefined();
});
