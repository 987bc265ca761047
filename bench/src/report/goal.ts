import { megabytes, times } from './numbers.js';
import { markdownTable, type Column } from './table.js';

/** A promise of the project, and the measurement of a run. */
export interface Goal {
  readonly what: string;
  readonly limit: string;
  readonly measured: string;
  readonly isMet: boolean;
}

const COLUMNS: readonly Column[] = [
  { heading: 'goal', align: 'left' },
  { heading: 'limit', align: 'right' },
  { heading: 'measured', align: 'right' },
  { heading: 'met', align: 'left' },
];

/** The table of some goals; empty where there are none. */
export function goalTable(goals: readonly Goal[]): string {
  const rows = goals.map(({ what, limit, measured, isMet }) => [what, limit, measured, isMet ? 'yes' : 'no']);
  return rows.length === 0 ? '' : markdownTable(COLUMNS, rows);
}

/** A multiple with an upper limit; not a goal if there is not a number. */
export function atMost(what: string, limit: number, measured: number | null): Goal[] {
  if (measured === null) return [];
  return [{ what, limit: `≤ ${limit} ×`, measured: times(measured), isMet: measured <= limit }];
}

/** A multiple with a lower limit; not a goal if there is not a number. */
export function atLeast(what: string, limit: number, measured: number | null): Goal[] {
  if (measured === null) return [];
  return [{ what, limit: `≥ ${limit} ×`, measured: times(measured), isMet: measured >= limit }];
}

/** Bytes with an upper limit. */
export function size(what: string, limit: number, measured: number): Goal {
  return { what, limit: `≤ ${megabytes(limit)}`, measured: megabytes(measured), isMet: measured <= limit };
}
