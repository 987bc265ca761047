import { setImmediate as turn } from 'node:timers/promises';

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { propertyRuns } from '@mcpmux/testing/property-runs';

import { cellProgram } from '../testing/cell-program.js';
import { EraClient, type Work } from '../testing/era-client.js';
import type { Mux } from './mux-api.js';
import { createMux } from './mux.js';

const ERAS = ['legacy', 'modern', 'legacy', 'modern', 'modern'] as const;
/** A question of a legacy server does not name its call: calls that ask share no such server. */
const ownServer = (client: number): string => `l${client}`;

type Act =
  | { readonly kind: 'work'; readonly work: Work; readonly isShared: boolean; readonly turns: number }
  | { readonly kind: 'cancel' | 'lose' | 'touch'; readonly turns: number };

const TURNS = fc.nat({ max: 4 });
const ACTS = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('work' as const),
        work: fc.record({ steps: fc.nat({ max: 3 }), asks: fc.nat({ max: 2 }) }),
        isShared: fc.boolean(),
        turns: TURNS,
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constantFrom<'cancel' | 'touch'>('cancel', 'touch'), turns: TURNS }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('lose' as const), turns: TURNS }) },
  ),
  { minLength: 1, maxLength: 8 },
);

/** One client, what it does, and what came of it. */
class Player {
  readonly wrong: string[] = [];
  readonly cancelled: number[] = [];
  touched = 0;
  private isLost = false;
  private lose = (): void => undefined;
  private readonly lost = new Promise<void>((resolve) => {
    this.lose = resolve;
  });
  private calls = 0;

  constructor(
    readonly number: number,
    readonly run: number,
    readonly client: EraClient,
  ) {}

  get uri(): string {
    return uriOf(this.run, this.number);
  }

  /** Does one thing after the other; those on the shared server at the same time. */
  async play(acts: readonly Act[]): Promise<void> {
    const open: Promise<void>[] = [];
    for (const act of acts) {
      for (let left = act.turns; left > 0; left -= 1) await turn();
      if (this.isLost) break;
      const done = Promise.race([this.act(act), this.lost]);
      if (act.kind === 'work' && !act.isShared) await done;
      else open.push(done);
    }
    await Promise.all(open);
  }

  /** Everything that this client was sent and must not have been. */
  get strays(): readonly string[] {
    return this.client.wire.lines.filter((line) => {
      const ofOthers = [...line.matchAll(/\bm(\d+)-(\d+)-/g)].some(
        ([, run, client]) => Number(run) !== this.run || Number(client) !== this.number,
      );
      const { id, method, params } = JSON.parse(line) as Received;
      if (method === 'notifications/progress')
        return this.client.marks.get(Number(params?.progressToken)) !== params?.message;
      if (method === 'notifications/resources/updated') return params?.uri !== this.uri;
      return ofOthers || (method === undefined && this.cancelled.includes(Number(id)));
    });
  }

  /** Ids that were answered more than once. */
  get repeated(): readonly unknown[] {
    const ids = this.client.wire.lines.flatMap((line) => {
      const { id, method } = JSON.parse(line) as Received;
      return method === undefined ? [id] : [];
    });
    return ids.filter((id, index) => ids.indexOf(id) !== index);
  }

  private async act(act: Act): Promise<void> {
    this.calls += 1;
    const mark = `m${this.run}-${this.number}-${this.calls}`;
    if (act.kind === 'lose') return this.leave();
    if (act.kind === 'cancel') return void this.cancelled.push(this.client.cancel('m__wait', mark));
    if (act.kind !== 'work') return this.touch(mark);
    const { work, isShared } = act;
    const name = `${isShared ? 'm' : ownServer(this.number)}__work`;
    const said = await this.client.call(name, mark, work, work.asks);
    const last = work.asks === 0 ? '' : `${mark}:${work.asks - 1}`;
    if (said !== `${mark}|${last}`) this.wrong.push(said);
  }

  private async touch(mark: string): Promise<void> {
    const said = await this.client.call('m__touch', mark, { uri: this.uri });
    if (said !== `${mark}|`) this.wrong.push(said);
    await this.client.wire.line((line) => line.includes('resources/updated'));
    this.touched += 1;
  }

  private leave(): void {
    this.isLost = true;
    this.client.wire.end();
    this.lose();
  }
}

interface Received {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly progressToken?: unknown; readonly message?: string; readonly uri?: string };
}

function uriOf(run: number, client: number): string {
  return `memo:///r${run}c${client}`;
}

describe('clients and servers of both eras in one mux', () => {
  let mux: Mux;
  let runs = 0;

  beforeAll(async () => {
    mux = createMux();
    // A legacy server is told in its handshake what its clients can do.
    await EraClient.open(mux, 'legacy', uriOf(0, 0));
    await mux.addServer('m', cellProgram('modern'));
    await Promise.all(ERAS.map((_, client) => mux.addServer(ownServer(client), cellProgram('legacy'))));
  }, 60_000);

  afterAll(() => mux.close());

  it('every answer, round, progress and event reaches its owner once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.tuple(...ERAS.map(() => ACTS)), async (plays) => {
        runs += 1;
        const run = runs;
        const players = await Promise.all(
          ERAS.map(async (era, number) => {
            const client = await EraClient.open(mux, era, uriOf(run, number));
            return new Player(number, run, client);
          }),
        );
        await Promise.all(players.map((player, number) => player.play(plays[number] ?? [])));
        for (const { wrong, strays, repeated } of players)
          expect({ wrong, strays, repeated }).toEqual({ wrong: [], strays: [], repeated: [] });
        for (const { client } of players) client.wire.end();
      }),
      propertyRuns(12),
    );
  }, 120_000);
});
