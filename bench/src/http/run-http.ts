import { echoServer } from '../forwarding/lineup.js';
import type { LoadFigures } from '../measure/measure-load.js';
import { ratioTo, type Ratio } from '../measure/ratio.js';
import type { PayloadName } from '../payload.js';
import { FrontLineup } from './front-lineup.js';
import type { HttpFrontName } from './http-front.js';
import { idleSessionBytes } from './idle-sessions.js';
import type { OpenThings } from './leaks.js';

/** The fronts that are compared with the relay. */
export type ComparedFront = Exclude<HttpFrontName, 'relay'>;

/** How many sessions, and how long they call. */
export interface HttpLoadOptions {
  readonly sessions: number;
  /** The fronts are called in turn, so often. */
  readonly rounds: number;
  /** How long one of them is called in one round, in milliseconds. */
  readonly windowMs: number;
  /** The fronts that are compared with the relay. */
  readonly fronts: readonly ComparedFront[];
  /** The number of idle sessions that are opened to find the memory of one. */
  readonly idleSessions: number;
}

/** One load. */
export interface HttpLoad {
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

/** The cost of many sessions over HTTP. */
export interface HttpReport extends HttpLoadOptions {
  readonly cells: readonly HttpCell[];
  /** The objects that mcpmux still had open when all clients had gone. */
  readonly left: OpenThings;
  /** Memory that one idle session with an open stream holds. */
  readonly idleSessionBytes: number;
}

const PAYLOADS: readonly PayloadName[] = ['100b', 'structured'];
/** A tenth of the sessions has so many calls in flight each. */
const MANY_IN_FLIGHT = 16;
/** Others than mcpmux take part in the first of so many rounds. */
const ROUNDS_PER_PEER_ROUND = 4;
/** The compiler is not done before. */
const WARM_UP_WINDOWS = 5;

/** Lets many sessions call the same server through mcpmux, through a relay and through others, in turn. */
export async function runHttp(
  options: HttpLoadOptions,
  progress: (text: string) => void,
): Promise<HttpReport> {
  const cells: HttpCell[] = [];
  const left = { sessions: 0, descriptors: 0 };
  for (const payload of PAYLOADS) {
    progress(`http: ${payload}`);
    const { found, leaks } = await measured(payload, options);
    cells.push(...found);
    left.sessions += leaks.sessions;
    left.descriptors += leaks.descriptors;
  }
  progress('http: idle sessions');
  return { ...options, cells, left, idleSessionBytes: await idleSessionBytes(options.idleSessions) };
}

async function measured(
  payload: PayloadName,
  options: HttpLoadOptions,
): Promise<{ readonly found: readonly HttpCell[]; readonly leaks: OpenThings }> {
  const { sessions, fronts } = options;
  await using lineup = new FrontLineup();
  for (const name of withRelay(fronts)) await lineup.start(name, echoServer(payload), sessions);
  const found: HttpCell[] = [];
  for (const load of loadsOf(payload, sessions)) found.push(await cellOf(load, lineup, options));
  return { found, leaks: await lineup.leave() };
}

function withRelay(fronts: readonly ComparedFront[]): readonly HttpFrontName[] {
  return ['relay', ...fronts];
}

function loadsOf(payload: PayloadName, sessions: number): readonly HttpLoad[] {
  return [
    { payload, sessions, inFlight: 1 },
    { payload, sessions: Math.max(1, Math.round(sessions / 10)), inFlight: MANY_IN_FLIGHT },
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
