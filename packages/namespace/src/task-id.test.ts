import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseServerName } from './server-name.js';
import { qualifyTaskId, splitTaskId } from './task-id.js';
import { anyText, serverName } from './testing/arbitrary-names.js';

describe('the id of a task', () => {
  it.each([
    ['github', '7f3a', 'mux1:github:7f3a'],
    ['a:b', 'c:d', 'mux1:a%3Ab:c:d'],
    ['日本', '', 'mux1:%E6%97%A5%E6%9C%AC:'],
  ])('S8: names its server: %s and %s', (server, local, id) => {
    expect(qualifyTaskId(parseServerName(server), local)).toBe(id);
    expect(splitTaskId(id)).toEqual({ server, local });
  });

  it('S8: is split into what it was made of, for every server and task', () => {
    fc.assert(
      fc.property(serverName, anyText, (server, local) => {
        expect(splitTaskId(qualifyTaskId(server, local))).toEqual({ server, local });
      }),
    );
  });

  it.each([
    '',
    '7f3a',
    'mux1:',
    'mux1:github',
    'mux1::x',
    'mux1:%:x',
    'mux1:a__b:x',
    'mux1:%61:x',
    'mux2:a:x',
  ])('S8: is none that mcpmux gave out: %j', (id) => {
    expect(splitTaskId(id)).toBeUndefined();
  });

  it('S8: that is split and joined again is the same', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyText,
          anyText.map((text) => `mux1:${text}`),
        ),
        (id) => {
          const parts = splitTaskId(id);
          expect(parts === undefined || qualifyTaskId(parts.server, parts.local) === id).toBe(true);
        },
      ),
    );
  });
});
