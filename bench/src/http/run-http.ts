import { guarded } from '../guarded.js';
import { echoServer } from '../forwarding/lineup.js';
import type { LoadFigures } from '../measure/measure-load.js';
import { median } from '../measure/statistics.js';
import { startMuxFront, startRelay, type HttpFront, type HttpFrontName } from './http-front.js';
import { leftIn, openIn, type OpenThings } from './leaks.js';
import { SessionCrowd } from './session-crowd.js';

/** How many sessions, and how long they call. */
export interface HttpLoadOptions {
  readonly sessions: number;
  /** The fronts are called in turn, so often. */
  readonly rounds: number;
  /** How long one of them is called in one round, in milliseconds. */
  readonly windowMs: number;
}

/** What one front has shown, by round. */
export type RoundsOfFronts = Readonly<Record<HttpFrontName, readonly LoadFigures[]>>;

/** What many sessions cost over HTTP. */
export interface HttpReport extends HttpLoadOptions {
  readonly rounds: number;
  readonly samples: RoundsOfFronts;
  /** mcpmux to the relay: the median over the rounds. */
  readonly ratio: Readonly<Record<RatioOf, number>>;
  /** What mcpmux still had open when all clients had gone. */
  readonly left: OpenThings;
}

/** The figures that ratios are given of. */
export type RatioOf = 'callsPerSecond' | 'p50Ms' | 'p99Ms' | 'cpuMicrosPerCall';

const RATIOS: readonly RatioOf[] = ['callsPerSecond', 'p50Ms', 'p99Ms', 'cpuMicrosPerCall'];

/** Lets many sessions call the same server through mcpmux and through a relay, in turn. */
export async function runHttp(options: HttpLoadOptions): Promise<HttpReport> {
  const { sessions, rounds, windowMs } = options;
  const server = echoServer('100b');
  await using relay = await startRelay(server);
  await using mcpmux = await startMuxFront(server, sessions);
  const before = await openIn(mcpmux);
  const crowds = await Promise.all([relay, mcpmux].map((front) => crowdOf(front, sessions)));
  const [relays, muxes]: readonly [LoadFigures[], LoadFigures[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const turn = [
      { crowd: crowds[0], figures: relays },
      { crowd: crowds[1], figures: muxes },
    ];
    for (const { crowd, figures } of round % 2 === 0 ? turn : turn.toReversed()) {
      if (crowd !== undefined) figures.push(await crowd.load(windowMs));
    }
  }
  await Promise.all(crowds.map((crowd) => crowd.leave()));
  const samples = { relay: relays, mcpmux: muxes };
  return { ...options, samples, ratio: ratios(samples), left: await leftIn(mcpmux, before) };
}

/** Ratios of the same round: a slow moment of the machine hits both. */
export function ratios({ relay, mcpmux }: RoundsOfFronts): HttpReport['ratio'] {
  const of = (figure: RatioOf): number =>
    median(mcpmux.map((figures, round) => (figures[figure] ?? NaN) / (relay[round]?.[figure] ?? NaN)));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one entry for each of them
  return Object.fromEntries(RATIOS.map((figure) => [figure, of(figure)])) as HttpReport['ratio'];
}

function crowdOf(front: HttpFront, sessions: number): Promise<SessionCrowd> {
  return guarded(front, () => SessionCrowd.open(front, sessions));
}
