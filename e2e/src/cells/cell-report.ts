import type { Pair } from '../surface/outcome.js';
import { outcomeOf, type Outcome } from '../surface/report.js';
import type { Rule } from '../surface/rules/rule.js';
import { explainedBy } from './cell-rules.js';
import type { CellStep } from './cell-steps.js';
import { INTRODUCTION } from './introduction-rule.js';

/** One step in one cell: a row of `docs/internals/eras.json`. */
export interface CellRow extends Outcome {
  readonly cell: string;
  readonly method: string;
  readonly does: string;
  readonly rules?: readonly string[];
}

/** The row of a step in a cell. How mcpmux came to its server is nothing that a step does. */
export function cellRow(cell: string, step: CellStep, pair: Pair, rules: readonly Rule[]): CellRow {
  const { method, does } = step;
  const hidden = rules.filter((rule) => rule.name === INTRODUCTION.name);
  const outcome = outcomeOf(explainedBy(hidden, pair));
  return {
    cell,
    method,
    does,
    ...outcome,
    ...(rules.length > 0 && { rules: rules.map(({ name }) => name) }),
  };
}
