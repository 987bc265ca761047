import { mkdir, writeFile } from 'node:fs/promises';

import { summarize, type Pair } from './outcome.js';
import { explained, type RuleName } from './rules/rules.js';
import { SERVER } from './run-script.js';
import type { Script, Step } from './script.js';

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

/** How mcpmux came to its server is nothing that a script does. */
const ADDED: ReadonlySet<RuleName> = new Set(['instructions']);

/** The row of a step: what a client sees, with and without mcpmux. */
export function rowOf({ server }: Script, step: Step, pair: Pair, isExplained: boolean): Row {
  const { row, method, does, rules = [] } = step;
  const hidden = rules.filter((name) => ADDED.has(name));
  const { direct, through } = explained(pair, hidden, SERVER);
  const outcomes = { direct: summarize(direct), through: summarize(through) };
  return { server, row, method, does, ...outcomes, isExplained, rules };
}

/** Writes the report beside the reports of the test runner. */
export async function writeReport(report: Report): Promise<void> {
  const folder = new URL('../../reports/', import.meta.url);
  await mkdir(folder, { recursive: true });
  await writeFile(new URL('surface.json', folder), `${JSON.stringify(report, null, 2)}\n`);
}
