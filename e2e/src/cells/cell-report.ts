import { mkdir, writeFile } from 'node:fs/promises';

import { summarize, type Pair } from '../surface/outcome.js';
import type { CellStep } from './cell-steps.js';

/** One step in one cell, as `tools/feature-matrix.mjs` reads it. */
export interface CellRow {
  readonly cell: string;
  readonly method: string;
  readonly does: string;
  readonly direct: string;
  readonly through: string;
  readonly rules: readonly string[];
}

/** The row of a step in a cell. */
export function cellRow(cell: string, step: CellStep, pair: Pair, rules: readonly string[]): CellRow {
  const { method, does } = step;
  return { cell, method, does, direct: summarize(pair.direct), through: summarize(pair.through), rules };
}

/** Writes the report beside the reports of the test runner. */
export async function writeCells(report: {
  readonly rules: Readonly<Record<string, string>>;
  readonly rows: readonly CellRow[];
}): Promise<void> {
  const folder = new URL('../../reports/', import.meta.url);
  await mkdir(folder, { recursive: true });
  await writeFile(new URL('cells.json', folder), `${JSON.stringify(report, null, 2)}\n`);
}
