import type { CellReport, ForwardingReport } from '../forwarding/cell.js';
import { ERA_TARGETS } from '../targets/era-targets.js';
import { forwardingTables } from './forwarding-tables.js';
import { times } from './numbers.js';

/** True if a run has measured the modern era or a bridge. */
export function hasEras(report: ForwardingReport | null): report is ForwardingReport {
  return report?.cells.some(({ target }) => target in ERA_TARGETS) ?? false;
}

/** The cost of the modern era and of the bridges between the eras, for readers. */
export function eraSection(report: ForwardingReport, machine: string): string {
  const introduction =
    'The byte pipe with messages of 2025-11-25 in absolute numbers, everything else as a multiple of it: medians over the rounds.';
  return [
    '## Eras and bridges\n',
    machine,
    `${introduction}\n`,
    forwardingTables(report).replaceAll('### ', '### Both eras, '),
    ownFloor(report.cells),
  ].join('\n');
}

/** The modern era as a multiple of the byte pipe that has the same messages. */
function ownFloor(cells: readonly CellReport[]): string {
  const lines = cells.flatMap(({ target, payload, inFlight, ratio }) => {
    if (target !== 'modern-on-modern') return [];
    const floor = cells.find(
      (cell) => cell.target === 'modern-byte-pipe' && cell.payload === payload && cell.inFlight === inFlight,
    );
    const [own, pipe] = [ratio?.cpuMicrosPerCall, floor?.ratio?.cpuMicrosPerCall];
    return own && pipe ? [`${times(own / pipe)} with ${inFlight} in flight`] : [];
  });
  return lines.length === 0
    ? ''
    : `CPU per call of 2026-07-28 on 2026-07-28 to the byte pipe with the same messages: ${lines.join(', ')}.\n`;
}
