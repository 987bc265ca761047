import type { FigureName, Ratio } from '../measure/ratio.js';
import { atLeast, atMost, type Goal } from './goal.js';
import { kilobytes } from './numbers.js';
import type { Report } from './report.js';

const KILOBYTE = 1000;

/** The goals of many sessions over HTTP. */
export function httpGoals({ http }: Pick<Report, 'http'>): Goal[] {
  if (http === null) return [];
  const { cells, idleSessionBytes } = http;
  const ratios = cells.flatMap(({ fronts }) => fronts.filter(({ front }) => front === 'mcpmux'));
  const limit = 30 * KILOBYTE;
  return [
    ...toRelay(
      'of many sessions over HTTP',
      ratios.map(({ ratio }) => ratio),
    ),
    {
      what: 'memory of an idle session over HTTP, with an open stream',
      limit: `≤ ${kilobytes(limit)}`,
      measured: kilobytes(idleSessionBytes),
      isMet: idleSessionBytes <= limit,
    },
  ];
}

/** The goals of servers at urls. */
export function urlGoals({ urls }: Pick<Report, 'urls'>): Goal[] {
  if (urls === null) return [];
  const ratios = urls.cells.filter(({ inFlight }) => inFlight > 1).map(({ ratio }) => ratio);
  return toRelay('of a server at a url, several in flight', ratios);
}

/** The load that is furthest from its goal counts. */
function toRelay(what: string, ratios: readonly Ratio[]): Goal[] {
  if (ratios.length === 0) return [];
  const of = (name: FigureName): readonly number[] => ratios.map((ratio) => ratio[name]);
  return [
    ...atMost(`CPU per call ${what}, to the relay`, 1.8, Math.max(...of('cpuMicrosPerCall'))),
    ...atLeast(`calls/s ${what}, to the relay`, 0.7, Math.min(...of('callsPerSecond'))),
    ...atMost(`p99 ${what}, to the relay`, 1.5, Math.max(...of('p99Ms'))),
  ];
}
