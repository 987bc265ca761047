import { describe, expect, it } from 'vitest';

import { StandInUpstream } from '../testing/stand-in-upstream.js';
import { indexByServer } from './by-server.js';

describe('the entries of a list by server', () => {
  const [a, b, c] = [new StandInUpstream('a'), new StandInUpstream('b'), new StandInUpstream('a')];
  const entries = [
    { upstream: b, name: 'y' },
    { upstream: a, name: 'x' },
    { upstream: b, name: 'x' },
  ];

  it('are in the order of the list, and none for a server that has none', () => {
    const of = indexByServer(entries, ({ upstream }) => upstream);
    expect([a, b, c].map((server) => of(server).map(({ name }) => name))).toEqual([['x'], ['y', 'x'], []]);
  });

  it('are read once for all servers, and not before a server is asked for', () => {
    let reads = 0;
    const counted = new Proxy(entries, {
      get(target, key) {
        if (key === Symbol.iterator) reads += 1;
        return Reflect.get(target, key) as unknown;
      },
    });
    const of = indexByServer(counted, ({ upstream }) => upstream);
    expect(reads).toBe(0);
    for (const server of [a, b, c]) of(server);
    expect(reads).toBe(1);
  });
});
