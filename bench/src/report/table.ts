import type { LoadFigures } from '../measure/measure-load.js';
import { middle, type Ratio } from '../measure/ratio.js';
import { megabytes, number, times } from './numbers.js';

/** A column: its heading, and on which side its cells are aligned. */
export interface Column {
  readonly heading: string;
  readonly align: 'left' | 'right';
}

/** The figures of each target that carries calls. */
export const FIGURE_COLUMNS: readonly Column[] = [
  { heading: 'calls/s', align: 'right' },
  { heading: 'p50', align: 'right' },
  { heading: 'p99', align: 'right' },
  { heading: 'CPU per call', align: 'right' },
  { heading: 'RSS', align: 'right' },
];

/** The cells of these columns for a floor: absolute numbers, in the middle of the rounds. */
export function absoluteFigures(rounds: readonly LoadFigures[]): readonly string[] {
  return [
    number(middle(rounds, 'callsPerSecond')),
    `${number(middle(rounds, 'p50Ms'))} ms`,
    `${number(middle(rounds, 'p99Ms'))} ms`,
    `${number(middle(rounds, 'cpuMicrosPerCall'))} µs`,
    megabytes(middle(rounds, 'rssBytes')),
  ];
}

/** The same cells as multiples of the floor. */
export function ratioFigures(ratio: Ratio): readonly string[] {
  const { callsPerSecond, p50Ms, p99Ms, cpuMicrosPerCall, rssBytes } = ratio;
  return [callsPerSecond, p50Ms, p99Ms, cpuMicrosPerCall, rssBytes].map(times);
}

const SHORTEST_RULE = 3;

/** A Markdown table, padded the way the formatter of this repository pads it. */
export function markdownTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map(({ heading }, index) =>
    Math.max(SHORTEST_RULE, heading.length, ...rows.map((row) => (row[index] ?? '').length)),
  );
  const line = (cells: readonly string[]): string => {
    const padded = widths.map((width, index) => pad(cells[index] ?? '', width, columns[index]?.align));
    return `| ${padded.join(' | ')} |`;
  };
  const rule = widths.map((width, index) =>
    columns[index]?.align === 'right' ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  );
  return `${[line(columns.map(({ heading }) => heading)), line(rule), ...rows.map(line)].join('\n')}\n`;
}

function pad(text: string, width: number, align: Column['align'] | undefined): string {
  return align === 'right' ? text.padStart(width) : text.padEnd(width);
}
