import { describe, expect, it } from 'vitest';

import type { Sent } from './cluster-clients.js';
import { brokenEffects, brokenRegistry, brokenRequests, brokenRuns, storeLines } from './cluster-rules.js';

const sent = (more: Partial<Sent>): Sent => ({
  nonce: 'c0.1',
  server: 's0',
  node: 'a',
  sessionNode: undefined,
  sentAt: 100,
  endedAt: 200,
  outcome: 'answered',
  detail: '',
  ...more,
});

describe('the rules of a cluster under faults', () => {
  it('accept a run in which nothing is wrong', () => {
    const lines = storeLines(
      's0 5 10 start\ns0 5 10 effect:c0.1\ns0 5 11 start\ns0 7 12 start\ns0 5 11 refused\n',
    );
    expect(brokenRequests([sent({})], [])).toEqual([]);
    expect(brokenEffects([sent({})], lines)).toEqual([]);
    expect(brokenRuns(lines)).toEqual([]);
    expect(brokenRegistry([{ name: 's0', node: 'a', epoch: 7 }], lines)).toEqual([]);
  });

  it('find an answer of another request, whatever was away', () => {
    const away = [{ node: 'a', from: 0, until: 1000 }];
    expect(brokenRequests([sent({ outcome: 'crossed' })], away)).toHaveLength(1);
  });

  it('find a request without an answer, unless its node or the node of its session was away', () => {
    const lost = sent({ outcome: 'lost', sessionNode: 'b' });
    const during = (node: string) => [{ node, from: 150, until: 160 }];
    expect(brokenRequests([lost], [])).toHaveLength(1);
    expect(brokenRequests([lost], during('c'))).toHaveLength(1);
    expect(brokenRequests([lost], [{ node: 'a', from: 201, until: 300 }])).toHaveLength(1);
    expect(brokenRequests([lost], during('a'))).toEqual([]);
    expect(brokenRequests([lost], during('b'))).toEqual([]);
  });

  it('find an effect that came twice, and an answer without its effect', () => {
    const lines = storeLines('s0 5 10 start\ns0 5 10 effect:c0.1\ns0 7 12 effect:c0.1\n');
    expect(brokenEffects([], lines)).toEqual(['c0.1 was done twice']);
    expect(brokenEffects([sent({ nonce: 'c0.2' })], lines)).toContain('c0.2 was answered and not done');
  });

  it('find an effect of an older epoch after a newer one', () => {
    expect(brokenRuns(storeLines('s0 7 12 start\ns0 5 10 effect:c0.1\n'))).toHaveLength(1);
  });

  it('find two runs of one epoch at one time', () => {
    const text = 's0 5 10 start\ns0 5 11 start\ns0 5 10 effect:c0.1\n';
    expect(brokenRuns(storeLines(text))).toEqual(['two runs of s0 in epoch 5: 10 and 11']);
  });

  it('find a registry that says something else than what runs', () => {
    const lines = storeLines('s0 5 10 start\n');
    expect(brokenRegistry([{ name: 's0', node: 'a', epoch: 6 }], lines)).toHaveLength(1);
    expect(brokenRegistry([{ name: 's0', node: null, epoch: 5 }], lines)).toHaveLength(1);
  });
});
