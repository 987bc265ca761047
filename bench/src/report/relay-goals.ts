import type { ClientEra } from '../load/modern-headers.js';
import type { FigureName, Ratio } from '../measure/ratio.js';
import { atLeast, atMost, type Goal } from './goal.js';
import { kilobytes } from './numbers.js';
import type { Report } from './report.js';

const KILOBYTE = 1000;

/** The goals of many clients over HTTP: of each era, and of an idle session. */
export function httpGoals({ http }: Pick<Report, 'http'>): Goal[] {
  if (http === null) return [];
  const { cells, idleSessionBytes } = http;
  const ratios = (era: ClientEra): readonly Ratio[] =>
    cells
      .filter((cell) => cell.era === era)
      .flatMap(({ fronts }) => fronts.filter(({ front }) => front === 'mcpmux'))
      .map(({ ratio }) => ratio);
  const limit = 30 * KILOBYTE;
  return [
    ...toRelay('of many sessions over HTTP', ratios('legacy')),
    ...toRelay('of many requests without a session over HTTP', ratios('modern')),
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
