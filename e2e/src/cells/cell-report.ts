import { mkdir, writeFile } from 'node:fs/promises';

import { summarize, type Pair } from '../surface/outcome.js';
import type { Rule } from '../surface/rules/rule.js';
import { explainedBy } from './cell-rules.js';
import type { CellStep } from './cell-steps.js';
import { INTRODUCTION } from './introduction-rule.js';

/** One step in one cell, as `tools/feature-matrix.mjs` reads it. */
export interface CellRow {
  readonly cell: string;
  readonly method: string;
  readonly does: string;
  readonly direct: string;
  readonly through: string;
  readonly rules: readonly string[];
}

/** The row of a step in a cell. How mcpmux came to its server is nothing that a step does. */
export function cellRow(cell: string, step: CellStep, pair: Pair, rules: readonly Rule[]): CellRow {
  const { method, does } = step;
  const { direct, through } = explainedBy(
    rules.filter((rule) => rule.name === INTRODUCTION.name),
    pair,
  );
  const outcomes = { direct: summarize(direct), through: summarize(through) };
  return { cell, method, does, ...outcomes, rules: rules.map(({ name }) => name) };
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
