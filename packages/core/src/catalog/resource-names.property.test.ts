import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '@mcpmux/testing/property-runs';

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
      propertyRuns(100),
    );
  });

  it('A3: are those of the server, unless a server before it is seen with the same', () => {
    fc.assert(
      fc.property(lists, (urisByServer) => {
        const servers = serversWith(urisByServer);
        const names = nameResources(servers);
        const before = new Set<string>();
        for (const [index, upstream] of servers.entries()) {
          const aliases = names.aliasesOf(upstream);
          const own = urisByServer[index] ?? [];
          expect([...aliases.keys()]).toEqual(own.filter((its) => before.has(its)));
          for (const one of own) before.add(aliases.get(one) ?? one);
        }
      }),
      propertyRuns(100),
    );
  });

  it('A3: stay what they are when a server is added: none gets what clients know of another', () => {
    fc.assert(
      fc.property(lists, (urisByServer) => {
        const servers = serversWith(urisByServer);
        const [before, after] = [nameResources(servers.slice(0, -1)), nameResources(servers)];
        for (const [seen, owned] of before.byUri) expect(after.byUri.get(seen)).toEqual(owned);
      }),
      propertyRuns(100),
    );
  });
});
