import { keyOf } from './layers.js';
import type { Overview } from '../src/data/overview-shown.js';

/**
 * The number of calls in each interval of the last minutes, by server key. It is calculated from the counts in the
 * overviews.
 */
export interface History {
  /** The number of the last interval, counted from the start of mcpmux. */
  readonly last: number;
  /** The calls of each interval by server; the last interval is at the end. */
  readonly calls: ReadonlyMap<string, readonly number[]>;
}

/** The length of an interval in seconds. */
export const INTERVAL = 5;
/** The number of intervals that are shown. They cover three minutes. */
export const INTERVALS = 36;
/** The time over which calls per second are averaged. */
const RATE_SECONDS = 10;

/** A history without calls. */
export const NO_HISTORY: History = { last: 0, calls: new Map() };

/** Returns the history after an overview that follows another overview. */
export function withOverview(history: History, before: Overview | undefined, now: Overview): History {
  const [from, to] = [before?.mcpmux.uptimeSeconds ?? Infinity, now.mcpmux.uptimeSeconds];
  const last = Math.floor(to / INTERVAL);
  if (before === undefined || before.mcpmux.instance !== now.mcpmux.instance)
    return { last, calls: new Map() };
  const counts = new Map(before.servers.map((server) => [keyOf(server), server.calls?.count ?? 0]));
  const shares = Array.from({ length: INTERVALS }, (_, index) => shareOf(index, last, from, to));
  const calls = new Map<string, readonly number[]>();
  for (const server of now.servers) {
    const key = keyOf(server);
    const more = Math.max(0, (server.calls?.count ?? 0) - (counts.get(key) ?? 0));
    const series = moved(history.calls.get(key), last - history.last);
    calls.set(key, more === 0 ? series : series.map((value, index) => value + more * (shares[index] ?? 0)));
  }
  return { last, calls };
}

/** Returns the series with the given number of new intervals at its end. */
function moved(series: readonly number[] | undefined, intervals: number): readonly number[] {
  if (series !== undefined && intervals === 0) return series;
  const empty = Array.from({ length: INTERVALS }, () => 0);
  return [...(series ?? empty), ...empty.slice(0, intervals)].slice(-INTERVALS);
}

/**
 * Returns the share of a time span that lies in an interval. Calls between two overviews are distributed over this
 * span.
 */
function shareOf(index: number, last: number, from: number, to: number): number {
  const start = (last - INTERVALS + 1 + index) * INTERVAL;
  const overlap = Math.min(to, start + INTERVAL) - Math.max(from, start);
  return to <= from ? Number(index === INTERVALS - 1) : Math.max(0, overlap) / (to - from);
}

/** Returns the calls of all servers by interval. */
export function total({ calls }: History): readonly number[] {
  const sums = Array.from({ length: INTERVALS }, () => 0);
  for (const series of calls.values())
    series.forEach((value, index) => {
      sums[index] = (sums[index] ?? 0) + value;
    });
  return sums;
}

/** Returns the calls per second in the last seconds. */
export function rateOf(history: History, uptimeSeconds: number): number {
  const into = uptimeSeconds - history.last * INTERVAL;
  const recent = total(history).slice(-1 - RATE_SECONDS / INTERVAL);
  return recent.reduce((sum, value) => sum + value, 0) / Math.max(1, into + RATE_SECONDS);
}
