import { describe, expect, it } from 'vitest';

import { Layer } from '../config/layer.js';
import { checkServerCount, maxServersInLayer } from './server-bound.js';

const SHARED = new Layer('shared');
const [MINE, THEIRS] = [new Layer('workspace a', SHARED), new Layer('workspace b', SHARED)];
const SESSION = new Layer('session 1', MINE);

/** So many servers in a layer. */
const inLayer = (layer: Layer, count: number, isolation: 'shared' | 'session' = 'shared') =>
  Array.from({ length: count }, () => ({ layer, config: { command: 'node', isolation } }));

const checked =
  (layer: Layer, ...servers: readonly ReturnType<typeof inLayer>[]) =>
  () =>
    checkServerCount(servers.flat(), layer, 8);

describe('how many servers there may be', () => {
  it('is a quarter of all in one layer that is not for everybody, and one at least', () => {
    expect([256, 8, 4, 2, 1].map(maxServersInLayer)).toEqual([64, 2, 1, 1, 1]);
  });

  it('H5: leaves places to others, whatever one workspace adds', () => {
    expect(checked(MINE, inLayer(MINE, 1))).not.toThrow();
    expect(checked(MINE, inLayer(MINE, 2))).toThrow(
      '2 servers are registered, which is the limit for one workspace or session. Remove one of your own servers first.',
    );
    expect(checked(THEIRS, inLayer(MINE, 2))).not.toThrow();
    expect(checked(SHARED, inLayer(SHARED, 2))).not.toThrow();
  });

  it('is told with whose servers they are', () => {
    expect(checked(SHARED, inLayer(SHARED, 8))).toThrow(
      '8 servers are registered, which is the limit. Remove one of them first.',
    );
    expect(checked(MINE, inLayer(THEIRS, 2), inLayer(SHARED, 6))).toThrow(
      '8 servers are registered, which is the limit. None of them is your own. Wait until one of them is removed.',
    );
    expect(checked(MINE, inLayer(MINE, 1), inLayer(SHARED, 7))).toThrow(
      '8 servers are registered, which is the limit. Of them 1 is your own. Remove one that is your own first.',
    );
    expect(checked(SHARED, inLayer(THEIRS, 2), inLayer(SHARED, 6))).toThrow('Of them 6 are shared');
  });

  it('does not count what sessions have from a registration for each of them', () => {
    const own = inLayer(SESSION, 20, 'session');
    expect(checked(SESSION, own)).not.toThrow();
    expect(checked(SHARED, own, inLayer(SHARED, 7, 'session'))).not.toThrow();
    expect(checked(SHARED, own, inLayer(SHARED, 8, 'session'))).toThrow('8 servers are registered');
  });
});
