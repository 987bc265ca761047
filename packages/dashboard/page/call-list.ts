import { keyOf, serverKey } from './layers.js';
import { UNSEEN, type Call } from './model.js';
import type { Overview } from './overview.js';
import { tokensOf } from './texts.js';

/** A call in the list. */
export interface ListedCall extends Call {
  readonly isInFlight: boolean;
  /** Milliseconds so far, or in all; absent for a call whose end the page has not seen. */
  readonly took?: number | undefined;
}

/** The cost of the calls in the list. */
export interface CallTotals {
  readonly calls: number;
  readonly inFlight: number;
  readonly failed: number;
  readonly bytes: number;
  readonly tokens: number;
}

/** Knows which calls are in flight: the overview counts them by server, and the list may have missed an end. */
export interface InFlight {
  readonly overview: Overview;
  /** When the overview was asked for: it does not know of later calls. */
  readonly asOf: number;
}

/** A test whether a call is in flight. */
function inFlightTest({ overview, asOf }: InFlight): (call: Call) => boolean {
  const isRunning = ({ calls }: Overview['servers'][number]): boolean => (calls?.running ?? 0) > 0;
  const running = new Set(overview.servers.filter(isRunning).map(keyOf));
  return (call) => call.ending === undefined && (running.has(serverKey(call)) || call.time > asOf);
}

/** The calls in flight before all others, and the newest first. */
export function listed(calls: readonly Call[], known: InFlight, now: number): readonly ListedCall[] {
  const isOpen = inFlightTest(known);
  const all = calls.toReversed().map((call) => listedCall(call, isOpen(call), now));
  return [...all.filter((call) => call.isInFlight), ...all.filter((call) => !call.isInFlight)];
}

function listedCall(call: Call, isInFlight: boolean, now: number): ListedCall {
  return { ...call, isInFlight, took: isInFlight ? Math.max(0, now - call.time) : call.ms };
}

/** The outcome of a call, in one word or two. */
export function outcomeOf({ ending, problem, isInFlight }: ListedCall): string {
  if (isInFlight) return 'in flight';
  if (ending === undefined || ending === UNSEEN) return 'end not seen';
  return ending === 'result' && problem !== undefined ? 'error' : ending;
}

/** The cost of the calls of a list. */
export function totalsOf(calls: readonly ListedCall[]): CallTotals {
  const bytes = calls.reduce((sum, { received = 0 }) => sum + received, 0);
  const isSeen = ({ ending }: ListedCall): boolean => ending !== undefined && ending !== UNSEEN;
  const failed = calls.filter((call) => isSeen(call) && outcomeOf(call) !== 'result').length;
  const inFlight = calls.filter((call) => call.isInFlight).length;
  return { calls: calls.length, inFlight, failed, bytes, tokens: tokensOf(bytes) };
}

/** The tools that a client waits for now, by the key of the server. */
export function callingNow(calls: Iterable<Call>, known: InFlight): ReadonlyMap<string, readonly string[]> {
  const isOpen = inFlightTest(known);
  const found = new Map<string, string[]>();
  for (const call of calls) {
    if (!isOpen(call)) continue;
    const key = serverKey(call);
    const tools = found.get(key) ?? [];
    if (!tools.includes(call.tool)) tools.push(call.tool);
    found.set(key, tools);
  }
  return found;
}
