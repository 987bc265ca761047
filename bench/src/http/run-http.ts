import type { ClientEra } from '../load/modern-headers.js';
import type { LoadFigures } from '../measure/measure-load.js';
import { ratioTo, type Ratio } from '../measure/ratio.js';
import type { PayloadName } from '../payload.js';
import { FrontLineup, type LeftOutFront } from './front-lineup.js';
import type { HttpFrontName } from './http-front.js';
import { idleSessionBytes } from './idle-sessions.js';
import type { OpenThings } from './leaks.js';

/** The fronts that are compared with the relay. */
export type ComparedFront = Exclude<HttpFrontName, 'relay'>;

/** How many clients, and how long they call. */
export interface HttpLoadOptions {
  /** The number of clients: in the legacy era each has a session. */
  readonly sessions: number;
  /** The eras of these clients, one after the other. */
  readonly eras: readonly ClientEra[];
  /** The fronts are called in turn, so often. */
  readonly rounds: number;
  /** How long one of them is called in one round, in milliseconds. */
  readonly windowMs: number;
  readonly payloads: readonly PayloadName[];
  /** The fronts that are compared with the relay. */
  readonly fronts: readonly ComparedFront[];
  /** The number of idle sessions that are opened to find the memory of one. */
  readonly idleSessions: number;
}

/** One load. */
export interface HttpLoad {
  readonly era: ClientEra;
  readonly payload: PayloadName;
  readonly sessions: number;
  readonly inFlight: number;
}

/** The figures of one front under one load, by round. */
export interface FrontSamples {
  readonly front: ComparedFront;
  readonly rounds: readonly LoadFigures[];
  /** To the relay. */
  readonly ratio: Ratio;
}

/** The figures of one load. */
export interface HttpCell extends HttpLoad {
  readonly relay: readonly LoadFigures[];
  readonly fronts: readonly FrontSamples[];
}

/** The cost of many clients over HTTP. */
export interface HttpReport extends HttpLoadOptions {
  readonly cells: readonly HttpCell[];
  /** The objects that mcpmux still had open when all clients had gone. */
  readonly left: OpenThings;
  /** The fronts of other authors that could not serve these clients. */
  readonly leftOut: readonly LeftOutFront[];
  /** Memory that one idle session with an open stream holds. */
  readonly idleSessionBytes: number;
}

/** The answers that fronts pass unless others are chosen. */
export const HTTP_PAYLOADS: readonly PayloadName[] = ['100b', 'structured'];
/** A tenth of the clients has so many calls in flight each. */
const MANY_IN_FLIGHT = 16;
/** Others than mcpmux take part in the first of so many rounds. */
const ROUNDS_PER_PEER_ROUND = 4;
/** The compiler is not done before. */
const WARM_UP_WINDOWS = 5;

/** Lets many clients call the same server through mcpmux, through a relay and through others, in turn. */
export async function runHttp(
  options: HttpLoadOptions,
  progress: (text: string) => void,
): Promise<HttpReport> {
  const cells: HttpCell[] = [];
  const left = { sessions: 0, descriptors: 0 };
  const leftOut: LeftOutFront[] = [];
  for (const era of options.eras) {
    for (const payload of options.payloads) {
      progress(`http: ${era}, ${payload}`);
      const lineup = new FrontLineup({ payload, era, clients: options.sessions });
      const { found, leaks } = await measured(lineup, loadsOf(payload, era, options.sessions), options);
      cells.push(...found);
      leftOut.push(...lineup.leftOut);
      left.sessions += leaks.sessions;
      left.descriptors += leaks.descriptors;
    }
  }
  progress('http: idle sessions');
  return { ...options, cells, left, leftOut, idleSessionBytes: await idleSessionBytes(options.idleSessions) };
}

async function measured(
  lineup: FrontLineup,
  loads: readonly HttpLoad[],
  options: HttpLoadOptions,
): Promise<{ readonly found: readonly HttpCell[]; readonly leaks: OpenThings }> {
  await using _ = lineup;
  for (const name of withRelay(options.fronts)) await lineup.start(name);
  const fronts = options.fronts.filter((name) => lineup.has(name));
  const found: HttpCell[] = [];
  for (const load of loads) found.push(await cellOf(load, lineup, { ...options, fronts }));
  return { found, leaks: await lineup.leave() };
}

function withRelay(fronts: readonly ComparedFront[]): readonly HttpFrontName[] {
  return ['relay', ...fronts];
}

function loadsOf(payload: PayloadName, era: ClientEra, sessions: number): readonly HttpLoad[] {
  return [
    { era, payload, sessions, inFlight: 1 },
    { era, payload, sessions: Math.max(1, Math.round(sessions / 10)), inFlight: MANY_IN_FLIGHT },
  ];
}

async function cellOf(
  load: HttpLoad,
  lineup: FrontLineup,
  { rounds, windowMs, fronts }: HttpLoadOptions,
): Promise<HttpCell> {
  const samples = withRelay(fronts).map((name) => ({ name, figures: [] as LoadFigures[] }));
  for (const { name } of samples) await lineup.load(name, { ...load, windowMs: WARM_UP_WINDOWS * windowMs });
  const peerRounds = Math.ceil(rounds / ROUNDS_PER_PEER_ROUND);
  for (let round = 0; round < rounds; round += 1) {
    const turn = samples.filter(({ name }) => name !== 'mcp-proxy' || round < peerRounds);
    for (const { name, figures } of round % 2 === 0 ? turn : turn.toReversed())
      figures.push(await lineup.load(name, { ...load, windowMs }));
  }
  const [relay = { figures: [] }, ...others] = samples;
  return {
    ...load,
    relay: relay.figures,
    fronts: others.map(({ figures }, index) => ({
      front: fronts[index] ?? 'mcpmux',
      rounds: figures,
      ratio: ratioTo(relay.figures, figures),
    })),
  };
}
