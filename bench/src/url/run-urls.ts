import { verifyAnswers } from '../forwarding/verify.js';
import { toolCall } from '../load/run-load.js';
import { measureLoad, type LoadFigures } from '../measure/measure-load.js';
import { ratioTo, type Ratio } from '../measure/ratio.js';
import type { PayloadName } from '../payload.js';
import type { RunningTarget } from '../targets/target.js';
import { startUrlMux, startUrlRelay, startUrlServer, type AnswerKind } from './url-peers.js';

/** How often and how long the server is called. */
export interface UrlLoadOptions {
  readonly rounds: number;
  /** How long one way is called in one round, in milliseconds. */
  readonly windowMs: number;
}

/** One load. */
export interface UrlLoad {
  readonly payload: PayloadName;
  readonly answers: AnswerKind;
  readonly inFlight: number;
}

/** The figures of one load. */
export interface UrlCell extends UrlLoad {
  readonly relay: readonly LoadFigures[];
  readonly mcpmux: readonly LoadFigures[];
  /** mcpmux to the relay in the same round: the median over the rounds. */
  readonly ratio: Ratio;
}

/** The cost of calls of a server at a url. */
export interface UrlReport extends UrlLoadOptions {
  readonly cells: readonly UrlCell[];
}

const KINDS: readonly (readonly [PayloadName, AnswerKind])[] = [
  ['100b', 'body'],
  ['100b', 'stream'],
  ['structured', 'body'],
];
const IN_FLIGHT = [1, 32, 200];
const WARM_UP_MS = 1000;
const WARM_UP_IN_FLIGHT = 32;

/** Calls the same server at a url through mcpmux and through a relay, in turn. */
export async function runUrls(options: UrlLoadOptions): Promise<UrlReport> {
  const cells: UrlCell[] = [];
  for (const [payload, answers] of KINDS) cells.push(...(await measured(payload, answers, options)));
  return { ...options, cells };
}

async function measured(
  payload: PayloadName,
  answers: AnswerKind,
  { rounds, windowMs }: UrlLoadOptions,
): Promise<readonly UrlCell[]> {
  await using server = await startUrlServer(payload, answers);
  await using relay = await startUrlRelay(server.url);
  await using mcpmux = await startUrlMux(server.url);
  const relayed = await warm(relay, payload);
  const muxed = await warm(mcpmux, payload);
  const cells = IN_FLIGHT.map((inFlight) => ({
    inFlight,
    relays: [] as LoadFigures[],
    muxes: [] as LoadFigures[],
  }));
  for (let round = 0; round < rounds; round += 1)
    for (const { inFlight, relays, muxes } of cells) {
      const turn = [
        { call: relayed, into: relays },
        { call: muxed, into: muxes },
      ];
      for (const { call, into } of round % 2 === 0 ? turn : turn.toReversed())
        into.push(await call(inFlight, windowMs));
    }
  return cells.map(({ inFlight, relays, muxes }) => ({
    payload,
    answers,
    inFlight,
    relay: relays,
    mcpmux: muxes,
    ratio: ratioTo(relays, muxes),
  }));
}

type Call = (inFlight: number, windowMs: number) => Promise<LoadFigures>;

/** Makes sure of the answers, and lets the compiler see the calls. */
async function warm(way: RunningTarget, payload: PayloadName): Promise<Call> {
  const { client, pid, tool } = way;
  const answerBytes = await verifyAnswers(way, payload);
  const call: Call = (inFlight, windowMs) =>
    measureLoad(client, pid, {
      request: toolCall(tool),
      inFlight,
      windowMs,
      minCalls: inFlight,
      answerBytes,
    });
  await call(WARM_UP_IN_FLIGHT, WARM_UP_MS);
  return call;
}
