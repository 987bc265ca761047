import { hasFailed, UNKNOWN_ENDING } from '../src/data/call-record.js';
import { keyOf, serverKey } from './layers.js';
import type { Call } from './model.js';
import type { Overview } from '../src/data/overview-shown.js';
import type { CallChoice } from './route.js';
import { tokensOf } from './texts.js';

/** A call in the list. */
export interface ListedCall extends Call {
  readonly isInFlight: boolean;
  /** Milliseconds so far, or in total. Absent for a call whose end the page has not received. */
  readonly took?: number | undefined;
}

/** The totals of the calls in the list. */
export interface CallTotals {
  readonly calls: number;
  readonly inFlight: number;
  readonly failed: number;
  readonly bytes: number;
  readonly tokens: number;
}

/**
 * The data that shows which calls are in flight. The overview counts them by server, and the list may have missed the
 * end of a call.
 */
export interface InFlight {
  readonly overview: Overview;
  /** The time at which the overview was requested. It does not include later calls. */
  readonly asOf: number;
}

/** Returns a function that checks if a call is in flight. */
function inFlightTest({ overview, asOf }: InFlight): (call: Call) => boolean {
  const isRunning = ({ calls }: Overview['servers'][number]): boolean => (calls?.running ?? 0) > 0;
  const running = new Set(overview.servers.filter(isRunning).map(keyOf));
  return (call) => call.ending === undefined && (running.has(serverKey(call)) || call.time > asOf);
}

/** Returns the calls, newest first. Calls in flight come before all others. */
export function listed(calls: readonly Call[], known: InFlight, now: number): readonly ListedCall[] {
  const isOpen = inFlightTest(known);
  const all = calls.toReversed().map((call) => listedCall(call, isOpen(call), now));
  return [...all.filter((call) => call.isInFlight), ...all.filter((call) => !call.isInFlight)];
}

function listedCall(call: Call, isInFlight: boolean, now: number): ListedCall {
  return { ...call, isInFlight, took: isInFlight ? Math.max(0, now - call.time) : call.ms };
}

/** The slowest calls are chosen from the last ten minutes. */
const SLOWEST_MS = 600_000;

/** Returns the calls of a choice. The slowest calls come first. */
export function chosenCalls(
  calls: readonly ListedCall[],
  choice: CallChoice,
  now: number,
): readonly ListedCall[] {
  switch (choice) {
    case 'all':
      return calls;
    case 'failed':
      return calls.filter(hasFailed);
    case 'in flight':
      return calls.filter(({ isInFlight }) => isInFlight);
    case 'slowest':
      return calls
        .filter(({ time, took }) => took !== undefined && time + took >= now - SLOWEST_MS)
        .toSorted((one, other) => (other.took ?? 0) - (one.took ?? 0));
  }
}

/** Returns the outcome of a call in a few words. */
export function outcomeOf({ ending, problem, isInFlight }: ListedCall): string {
  if (isInFlight) return 'in flight';
  if (ending === undefined || ending === UNKNOWN_ENDING) return 'end not seen';
  return ending === 'result' && problem !== undefined ? 'error' : ending;
}

/** Returns the totals of the calls in a list. */
export function totalsOf(calls: readonly ListedCall[]): CallTotals {
  const bytes = calls.reduce((sum, { received = 0 }) => sum + received, 0);
  const failed = calls.filter(hasFailed).length;
  const inFlight = calls.filter((call) => call.isInFlight).length;
  return { calls: calls.length, inFlight, failed, bytes, tokens: tokensOf(bytes) };
}

/** Returns the tools with calls in flight, by server key. */
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
