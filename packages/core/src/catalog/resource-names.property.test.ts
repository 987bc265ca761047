import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { resourcesAt } from '../testing/definitions.js';
import { StandInUpstream } from '../testing/stand-in-upstream.js';
import { nameResources } from './resource-names.js';

/** URIs among them that look like aliases of others. */
const uri = fc.constantFrom(
  'ui://x',
  'ui://a/x',
  'ui://b/x',
  'ui://b/b/x',
  'x:1',
  'mcpmux:b:x:1',
  'mcpmux:c:x:1',
);
const lists = fc.array(fc.uniqueArray(uri), { minLength: 1, maxLength: 3 });

function serversWith(urisByServer: readonly (readonly string[])[]): readonly StandInUpstream[] {
  return urisByServer.map((uris, index) =>
    new StandInUpstream(['a', 'b', 'c'][index] ?? 'd').offers({ resources: resourcesAt(...uris) }),
  );
}

describe('the URIs that clients see', () => {
  it('A3: lead each resource of each server back to itself, and no two are the same', () => {
    fc.assert(
      fc.property(lists, (urisByServer) => {
        const servers = serversWith(urisByServer);
        const names = nameResources(servers);
        for (const [index, upstream] of servers.entries()) {
          for (const own of urisByServer[index] ?? []) {
            const seen = names.aliasesOf(upstream).get(own) ?? own;
            expect(names.byUri.get(seen)).toEqual({ upstream, uri: own });
          }
        }
        expect(names.byUri.size).toBe(urisByServer.flat().length);
      }),
      { numRuns: 500 },
    );
  });

  it('A3: are those of the server, unless a server before it has the same', () => {
    fc.assert(
      fc.property(lists, (urisByServer) => {
        const servers = serversWith(urisByServer);
        const names = nameResources(servers);
        for (const [index, upstream] of servers.entries()) {
          const before = new Set(urisByServer.slice(0, index).flat());
          const collisions = (urisByServer[index] ?? []).filter((own) => before.has(own));
          expect([...names.aliasesOf(upstream).keys()]).toEqual(collisions);
        }
      }),
      { numRuns: 500 },
    );
  });
});
