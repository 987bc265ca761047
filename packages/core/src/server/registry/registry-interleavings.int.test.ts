import { fixtureCommand, Lifeline, type FixtureName } from '@mcpmux/test-servers';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

import { RegistryRig } from '../../testing/registry-rig.js';

const GONE_MS = 10_000;
const WAIT = { timeout: GONE_MS, interval: 10 };
const FIXTURES: readonly FixtureName[] = ['no-tools', 'ignore-eof', 'exit-in-handshake', 'setsid-escapee'];

const command = fc.record({
  name: fc.constantFrom('a', 'b'),
  what: fc.constantFrom('add', 'add', 'remove', 'reload'),
  fixture: fc.constantFrom(...FIXTURES),
  /** Whether the next command waits for the end of this one. */
  waits: fc.boolean(),
});
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

async function carryOut({ name, what, fixture }: Command, { registry }: RegistryRig): Promise<unknown> {
  if (what === 'add') return registry.add(name, fixtureCommand(fixture)).started;
  return what === 'remove' ? registry.remove(name) : registry.reload(name);
}

/** Process ids of the servers that live, without those of their descendants. */
function serversOn(lifeline: Lifeline): ReadonlySet<number> {
  return new Set(lifeline.alive.filter(({ role }) => role === 'server').map(({ pid }) => pid));
}

describe('whenever real servers are added, removed and reloaded', () => {
  it('M9, E6: running servers have their processes, nothing else is left, and the end leaves none', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 10, size: 'max' }), async (commands) => {
        await using lifeline = await Lifeline.open();
        await using rig = RegistryRig.overProcesses({
          environment: { ...process.env, LIFELINE: lifeline.address },
          limits: { drainMs: 10 },
        });
        const outcomes: Promise<unknown>[] = [];
        for (const each of commands) {
          const outcome = carryOut(each, rig).catch((error: unknown) => error);
          outcomes.push(outcome);
          if (each.waits) await outcome;
        }
        await Promise.all(outcomes);
        const running = rig.registry
          .list()
          .flatMap(({ state }) => (state.kind === 'running' ? [state.pid] : []));
        expect(rig.states).not.toContain('starting');
        await vi.waitFor(() => expect(serversOn(lifeline)).toEqual(new Set(running)), WAIT);
        await rig.registry.shutDown();
        await lifeline.waitForAllGone(GONE_MS);
      }),
      { numRuns: 3 },
    );
  });
});
