import { mkdir, writeFile } from 'node:fs/promises';

import { summarize, type Pair } from './outcome.js';
import type { RuleName } from './rules/rules.js';
import type { Step } from './script.js';

/** One row of the feature matrix. */
export interface Row {
  readonly server: string;
  readonly row: string;
  readonly method: string;
  readonly does: string;
  readonly direct: string;
  readonly through: string;
  readonly isExplained: boolean;
  readonly rules: readonly RuleName[];
}

/** Rows and the rules they name, as `tools/feature-matrix.mjs` reads them. */
export interface Report {
  readonly rules: Readonly<Record<string, string>>;
  readonly rows: readonly Row[];
}

/** The row of a step: what a client sees, with and without mcpmux, after the rules were applied. */
export function rowOf(server: string, step: Step, pair: Pair, isExplained: boolean): Row {
  const { row, method, does, rules = [] } = step;
  const direct = summarize(pair.direct);
  return { server, row, method, does, direct, through: summarize(pair.through), isExplained, rules };
}

/** Writes the report beside the reports of the test runner. */
export async function writeReport(report: Report): Promise<void> {
  const folder = new URL('../../reports/', import.meta.url);
  await mkdir(folder, { recursive: true });
  await writeFile(new URL('surface.json', folder), `${JSON.stringify(report, null, 2)}\n`);
}
