import { growth, type Curve } from '../scale/curve.js';
import { number, times } from './numbers.js';
import { markdownTable, type Column } from './table.js';

/** A table for each curve: a line for each size, and how much more the last costs than the first. */
export function scaleTables(curves: readonly Curve[]): string {
  return curves.map(curveTable).join('\n');
}

function curveTable(curve: Curve): string {
  const { label, metrics, points } = curve;
  const columns: Column[] = [label, ...metrics.map((metric) => `${metric.label}, ${metric.unit}`)].map(
    (heading) => ({ heading, align: 'right' }),
  );
  const rows = points.map(({ size, values }) =>
    [size.toLocaleString('en-US')].concat(metrics.map(({ key }) => number(values[key] ?? null))),
  );
  const last = ['growth', ...metrics.map(({ key }) => times(growth(curve, key)))];
  return markdownTable(columns, [...rows, last]);
}
