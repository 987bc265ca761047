import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { RunFailure } from './link/run-failure.js';
import { upstreamTransition, type UpstreamEvent, type UpstreamState } from './upstream-state.js';

const FAILURE: RunFailure = { kind: 'exited', exit: { exitCode: 1, signal: null }, stderrTail: [] };

const STATES = {
  starting: { kind: 'starting', generation: 2, since: 10 },
  running: { kind: 'running', generation: 2, since: 20, pid: 4711 },
  crashed: { kind: 'crashed', generation: 2, since: 30, failure: FAILURE },
  removed: { kind: 'removed' },
} satisfies Record<string, UpstreamState>;

const EVENTS = {
  'the next start': { kind: 'start', generation: 3, at: 40 },
  'its own start again': { kind: 'start', generation: 2, at: 40 },
  'an old start': { kind: 'start', generation: 1, at: 40 },
  ready: { kind: 'ready', generation: 2, at: 40, pid: 4712 },
  'an old ready': { kind: 'ready', generation: 1, at: 40, pid: 4712 },
  swapped: { kind: 'swapped', generation: 3, at: 40, pid: 4713 },
  'an old swapped': { kind: 'swapped', generation: 2, at: 40, pid: 4713 },
  failed: { kind: 'failed', generation: 2, at: 40, failure: FAILURE },
  'an old failed': { kind: 'failed', generation: 1, at: 40, failure: FAILURE },
  remove: { kind: 'remove' },
} satisfies Record<string, UpstreamEvent>;

const NEXT: UpstreamState = { kind: 'starting', generation: 3, since: 40 };
const READY: UpstreamState = { kind: 'running', generation: 2, since: 40, pid: 4712 };
const SWAPPED: UpstreamState = { kind: 'running', generation: 3, since: 40, pid: 4713 };
const CRASHED: UpstreamState = { kind: 'crashed', generation: 2, since: 40, failure: FAILURE };
const REMOVED: UpstreamState = { kind: 'removed' };
const SAME = 'stays as it is';

describe('a server', () => {
  it.each<[keyof typeof STATES, keyof typeof EVENTS, UpstreamState | typeof SAME]>([
    ['starting', 'the next start', NEXT],
    ['starting', 'its own start again', SAME],
    ['starting', 'an old start', SAME],
    ['starting', 'ready', READY],
    ['starting', 'an old ready', SAME],
    ['starting', 'swapped', SAME],
    ['starting', 'an old swapped', SAME],
    ['starting', 'failed', CRASHED],
    ['starting', 'an old failed', SAME],
    ['starting', 'remove', REMOVED],
    ['running', 'the next start', NEXT],
    ['running', 'its own start again', SAME],
    ['running', 'an old start', SAME],
    ['running', 'ready', SAME],
    ['running', 'an old ready', SAME],
    ['running', 'swapped', SWAPPED],
    ['running', 'an old swapped', SAME],
    ['running', 'failed', CRASHED],
    ['running', 'an old failed', SAME],
    ['running', 'remove', REMOVED],
    ['crashed', 'the next start', NEXT],
    ['crashed', 'its own start again', SAME],
    ['crashed', 'an old start', SAME],
    ['crashed', 'ready', SAME],
    ['crashed', 'an old ready', SAME],
    ['crashed', 'swapped', SWAPPED],
    ['crashed', 'an old swapped', SAME],
    ['crashed', 'failed', SAME],
    ['crashed', 'an old failed', SAME],
    ['crashed', 'remove', REMOVED],
    ['removed', 'the next start', SAME],
    ['removed', 'its own start again', SAME],
    ['removed', 'an old start', SAME],
    ['removed', 'ready', SAME],
    ['removed', 'an old ready', SAME],
    ['removed', 'swapped', SAME],
    ['removed', 'an old swapped', SAME],
    ['removed', 'failed', SAME],
    ['removed', 'an old failed', SAME],
    ['removed', 'remove', SAME],
  ])('that is %s: on %s → %o', (state, event, expected) => {
    const before: UpstreamState = STATES[state];
    const after = upstreamTransition(before, EVENTS[event]);
    expect(after).toEqual(expected === SAME ? before : expected);
    expect(after === before).toBe(expected === SAME);
  });
});

const generation = fc.integer({ min: 1, max: 5 });
const at = fc.nat({ max: 1000 });
const event: fc.Arbitrary<UpstreamEvent> = fc.oneof(
  { arbitrary: fc.record({ kind: fc.constant('start' as const), generation, at }), weight: 3 },
  { arbitrary: fc.record({ kind: fc.constant('ready' as const), generation, at, pid: fc.nat() }), weight: 3 },
  {
    arbitrary: fc.record({
      kind: fc.constant('failed' as const),
      generation,
      at,
      failure: fc.constant(FAILURE),
    }),
    weight: 3,
  },
  { arbitrary: fc.constant<UpstreamEvent>({ kind: 'remove' }), weight: 1 },
);
const events = fc.array(event, { maxLength: 30, size: 'max' });

function states(sequence: readonly UpstreamEvent[]): UpstreamState[] {
  let state: UpstreamState = { kind: 'starting', generation: 1, since: 0 };
  return sequence.map((each) => (state = upstreamTransition(state, each)));
}

describe('whatever happens in whatever order', () => {
  it('E6: a late event of one generation never touches another', () => {
    fc.assert(
      fc.property(events, (sequence) => {
        let before: UpstreamState = { kind: 'starting', generation: 1, since: 0 };
        for (const each of sequence) {
          const after = upstreamTransition(before, each);
          const isForeign =
            'generation' in each &&
            each.kind !== 'start' &&
            before.kind !== 'removed' &&
            each.generation !== before.generation;
          expect(isForeign && after !== before).toBe(false);
          before = after;
        }
      }),
    );
  });

  it('generations only grow, and what was removed stays removed', () => {
    fc.assert(
      fc.property(events, (sequence) => {
        const ranks = states(sequence).map((state) =>
          state.kind === 'removed' ? Infinity : state.generation,
        );
        expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
      }),
    );
  });

  it('one generation runs at most once and crashes at most once, and never runs after it has crashed', () => {
    fc.assert(
      fc.property(events, (sequence) => {
        const order = { starting: 0, running: 1, idle: 2, crashed: 2, removed: 3 };
        for (const wanted of [1, 2, 3, 4, 5]) {
          const seen = states(sequence).filter(
            (state) => 'generation' in state && state.generation === wanted,
          );
          const ranks = seen.map((state) => order[state.kind]);
          expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
          expect(new Set(seen).size).toBeLessThanOrEqual(3);
        }
      }),
    );
  });
});
