import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { resultAnswer } from '../../guards/answers.js';
import { GuardRefusal } from '../../guards/guard-refusal.js';
import type { GuardHandler } from '../../guards/guard.js';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { propertyRuns } from '@mcpmux/testing/property-runs';
import { runningServer, type RunningServer } from '../../testing/running-server.js';
import { SessionRig } from '../../testing/session-rig.js';

type CallKind = 'forwarded' | 'own' | 'unknown tool' | 'unknown method' | 'ping';
type GuardKind = 'none' | 'passing' | 'waiting' | 'refusing' | 'throwing' | 'answering early';
type ToOneRequest = 'answer' | 'progress' | 'cancel' | 'race-cancel' | 'own-result' | 'own-failure';

/** What happens next. `pick` chooses one of the requests so far. */
type Step =
  | { readonly kind: 'request'; readonly call: CallKind; readonly id: 'integer' | 'string' }
  | { readonly kind: 'to one'; readonly what: ToOneRequest; readonly pick: number }
  | { readonly kind: 'crash' }
  | { readonly kind: 'open' }
  | { readonly kind: 'turn' };

const guardKind = fc.constantFrom<GuardKind>(
  'none',
  'none',
  'passing',
  'waiting',
  'refusing',
  'throwing',
  'answering early',
);

/** A request as the test remembers it. */
interface Sent {
  /** JSON text. */
  readonly id: string;
  /** Under which id the server knows it. */
  readonly upstreamId: number | undefined;
  readonly ownIndex: number | undefined;
  /** `in time`: before anything could have answered it; `racing`: nobody knows what came first. */
  cancelled: 'no' | 'too late' | 'in time' | 'racing';
}

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('request' as const),
      call: fc.constantFrom<CallKind>(
        'forwarded',
        'forwarded',
        'own',
        'unknown tool',
        'unknown method',
        'ping',
      ),
      id: fc.constantFrom('integer' as const, 'string' as const),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('to one' as const),
      what: fc.constantFrom<ToOneRequest>(
        'answer',
        'answer',
        'progress',
        'cancel',
        'race-cancel',
        'own-result',
        'own-failure',
      ),
      pick: fc.nat(),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ kind: 'turn' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'crash' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'open' as const }) },
);

/** A session, a server and own tools, driven by steps; keeps account of the requests. */
class Race {
  readonly requests: Sent[] = [];
  private readonly server: RunningServer = runningServer('a', ['get']);
  private readonly rig = new SessionRig([this.server.upstream]);
  /** Whoever waits in a guard. */
  private gate: (() => void)[] = [];
  private forwarded = 0;
  private own = 0;

  async run(steps: readonly Step[], guard: GuardKind): Promise<void> {
    if (guard !== 'none') this.rig.guards.use({ handle: this.guardOf(guard) });
    for (const next of steps) await this.take(next);
    await nextTurn();
  }

  /** The session ends: whoever has no answer yet gets one. */
  async finish(): Promise<void> {
    const finished = this.rig.session.finish(0);
    this.rig.clock.advance(0);
    await finished;
    await nextTurn();
  }

  /** How often each id, with its type, was answered. */
  answers(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const line of this.rig.client.lines) {
      const { id, method }: { id?: unknown; method?: string } = JSON.parse(line);
      if (method !== undefined) continue;
      const text = JSON.stringify(id);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    return counts;
  }

  private guardOf(kind: GuardKind): GuardHandler {
    return async (_, next) => {
      if (kind === 'waiting') await new Promise<void>((resolve) => this.gate.push(resolve));
      if (kind === 'refusing') throw new GuardRefusal('no', { reason: 'test' });
      if (kind === 'throwing') throw new Error('a defect');
      if (kind !== 'answering early') return next();
      void next();
      await nextTurn();
      return resultAnswer(Buffer.from('{"early":true}'));
    };
  }

  private async take(next: Step): Promise<void> {
    switch (next.kind) {
      case 'open':
        for (const go of this.gate.splice(0)) go();
        return;
      case 'turn':
        return nextTurn();
      case 'crash':
        return this.server.connection.failAll({ kind: 'removed' });
      case 'request':
        return this.request(next.call, next.id);
      case 'to one': {
        const sent = this.requests[next.pick % Math.max(1, this.requests.length)];
        if (sent !== undefined) await this.toOne(next.what, sent);
      }
    }
  }

  private async toOne(what: ToOneRequest, sent: Sent): Promise<void> {
    const { id, upstreamId = 999, ownIndex = -1 } = sent;
    switch (what) {
      case 'answer':
        return this.server.server.answer(upstreamId, id);
      case 'progress':
        return this.server.server.send(
          `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${upstreamId}}}`,
        );
      case 'own-result':
        return this.rig.ownTools.calls[ownIndex]?.resolve('{}');
      case 'own-failure':
        return this.rig.ownTools.calls[ownIndex]?.reject(new Error('a defect'));
      case 'cancel':
        await nextTurn();
        return this.cancel(sent, this.answers().has(id) ? 'too late' : 'in time');
      case 'race-cancel':
        return this.cancel(sent, this.answers().has(id) ? 'too late' : 'racing');
    }
  }

  private cancel(sent: Sent, cancelled: Sent['cancelled']): void {
    if (sent.cancelled === 'no') sent.cancelled = cancelled;
    this.rig.cancel(sent.id);
  }

  private request(call: CallKind, idKind: 'integer' | 'string'): void {
    const number = this.requests.length;
    const id = idKind === 'integer' ? `${number}` : `"${number}"`;
    const isForwarded = call === 'forwarded';
    const isOwn = call === 'own';
    if (isForwarded) this.forwarded += 1;
    if (isOwn) this.own += 1;
    this.requests.push({
      id,
      upstreamId: isForwarded ? this.forwarded : undefined,
      ownIndex: isOwn ? this.own - 1 : undefined,
      cancelled: 'no',
    });
    if (isForwarded) this.rig.call(id, 'a__get', '"_meta":{"progressToken":"t"}');
    else if (isOwn) this.rig.call(id, 'own_tool');
    else if (call === 'unknown tool') this.rig.call(id, 'nothing');
    else this.rig.send(`{"jsonrpc":"2.0","id":${id},"method":"${call === 'ping' ? 'ping' : 'x/y'}"}`);
  }
}

/** How often a request may have been answered when the session is over. */
function allowed({ cancelled }: Sent): readonly number[] {
  if (cancelled === 'racing') return [0, 1];
  return cancelled === 'in time' ? [0] : [1];
}

describe('whatever races with what', () => {
  it('M9, A6, D4: every request is answered once with its own id, unless it was cancelled', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }),
        guardKind,
        async (steps, guard) => {
          const race = new Race();
          await race.run(steps, guard);
          await race.finish();
          const answers = race.answers();
          const known = new Set(race.requests.map(({ id }) => id));
          expect([...answers.keys()].filter((id) => !known.has(id))).toEqual([]);
          const wrong = race.requests.filter((sent) => !allowed(sent).includes(answers.get(sent.id) ?? 0));
          expect(wrong).toEqual([]);
        },
      ),
      propertyRuns(80),
    );
  });
});
