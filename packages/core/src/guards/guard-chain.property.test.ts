import fc from 'fast-check';
import { expect, it } from 'vitest';

import { guardContext } from '../testing/guard-context.js';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { propertyRuns } from '@mcpmux/testing/property-runs';
import { resultAnswer } from './answers.js';
import { runGuards } from './guard-list.js';
import { GuardRefusal } from './guard-refusal.js';
import type { GuardAnswer, GuardContext, GuardHandler } from './guard.js';

const BEHAVIOURS = [
  'pass',
  'pass twice',
  'wait and pass',
  'refuse',
  'refuse after waiting',
  'throw',
  'answer',
  'replace',
  'pass and refuse',
] as const;
type Behaviour = (typeof BEHAVIOURS)[number];

/** Lets a request through, and therefore the guards inside of it see it. */
const PASSES: ReadonlySet<Behaviour> = new Set([
  'pass',
  'pass twice',
  'wait and pass',
  'replace',
  'pass and refuse',
]);

const own = (text: string): GuardAnswer => resultAnswer(Buffer.from(JSON.stringify(text)));

function guardOf(behaviour: Behaviour, place: number, seen: number[]): GuardHandler {
  return async (_, next) => {
    seen.push(place);
    switch (behaviour) {
      case 'pass':
        return next();
      case 'pass twice':
        return (await Promise.all([next(), next()]))[0];
      case 'wait and pass':
        await nextTurn();
        return next();
      case 'refuse':
        throw new GuardRefusal(`${place}`, { reason: 'test' });
      case 'refuse after waiting':
        await nextTurn();
        throw new GuardRefusal(`${place}`, { reason: 'test' });
      case 'throw':
        throw new Error(`${place}`);
      case 'answer':
        return own(`${place}`);
      case 'replace':
        await next();
        return own(`${place}`);
      case 'pass and refuse':
        void next();
        throw new GuardRefusal(`${place}`, { reason: 'test' });
    }
  };
}

/** Whose word a client gets: a place among the guards, or that of the server. */
function expected(behaviours: readonly Behaviour[]): string {
  for (const [place, behaviour] of behaviours.entries()) {
    if (!['pass', 'pass twice', 'wait and pass'].includes(behaviour)) {
      // Replacing needs an answer from inside: without one its own failure is what happens.
      const inner = expected(behaviours.slice(place + 1));
      return behaviour === 'replace' && inner.startsWith('!')
        ? deeper(inner, place + 1)
        : outcome(behaviour, place);
    }
  }
  return 'server';
}

function outcome(behaviour: Behaviour, place: number): string {
  return behaviour === 'answer' || behaviour === 'replace' ? `${place}` : `!${place}`;
}

function deeper(inner: string, by: number): string {
  return `!${Number(inner.slice(1)) + by}`;
}

it('A6: guards are passed from the first to the last, the request is carried out once at most, and one word comes back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...BEHAVIOURS), { maxLength: 6 }), async (behaviours) => {
      const seen: number[] = [];
      let carriedOut = 0;
      const guards = behaviours.map((behaviour, place) => guardOf(behaviour, place, seen));
      const carryOut = async (): Promise<GuardAnswer> => {
        carriedOut += 1;
        await nextTurn();
        return own('server');
      };
      const applyChange = (context: GuardContext): GuardContext => context;
      const word = await runGuards(guards, guardContext(), { applyChange, carryOut }).then(
        (answer) => String(JSON.parse(answer.json.toString())),
        (error: unknown) => `!${error instanceof Error ? error.message : ''}`,
      );
      // What a guard has begun and not waited for comes to its end.
      for (const _ of behaviours) await nextTurn();
      const stop = behaviours.findIndex((behaviour) => !PASSES.has(behaviour));
      const reached = behaviours.slice(0, stop === -1 ? behaviours.length : stop + 1);
      expect(seen).toEqual(reached.map((_, place) => place));
      expect(carriedOut).toBe(stop === -1 ? 1 : 0);
      expect(word).toBe(expected(behaviours));
    }),
    propertyRuns(100),
  );
});
