import { isDeepStrictEqual } from 'node:util';

import type { Pair } from '../surface/outcome.js';
import type { Cell } from './cell.js';
import { CELL_RULES, explainedBy, withQuestions, type CellRule } from './cell-rules.js';

function isSame(pair: Pair, rules: readonly CellRule[]): boolean {
  const { direct, through } = explainedBy(rules, pair);
  return isDeepStrictEqual(through, direct);
}

/** The fewest rules of a cell that leave no difference; all that change anything when none do. */
export function neededFor(pair: Pair, cell: Cell): readonly CellRule[] {
  const changing = CELL_RULES.filter(
    (rule) => rule.cells.includes(cell) && !isDeepStrictEqual(explainedBy([rule], pair), pair),
  );
  let sets: readonly (readonly CellRule[])[] = [[]];
  for (let size = 0; size <= changing.length; size += 1) {
    const found = sets.find((rules) => isSame(pair, rules));
    if (found !== undefined) return found;
    sets = sets.flatMap((rules) => withOneMore(rules, changing));
  }
  return changing;
}

/** In the order of the rules, so that each set comes once. */
function withOneMore(rules: readonly CellRule[], of: readonly CellRule[]): readonly (readonly CellRule[])[] {
  const last = rules.at(-1);
  const from = last === undefined ? 0 : of.indexOf(last) + 1;
  return of.slice(from).map((rule) => rules.concat(rule));
}

/** A pair as it is compared. */
export function shown({ direct, through }: Pair): Pair {
  return { direct: withQuestions(direct), through: withQuestions(through) };
}
