import { isDeepStrictEqual } from 'node:util';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CellClient } from './cells/cell-client.js';
import { CELLS, nameOf, REVISIONS, type Cell } from './cells/cell.js';
import { CELL_RULES, explainedBy, withQuestions, type CellRule } from './cells/cell-rules.js';
import { cellRow, writeCells, type CellRow } from './cells/cell-report.js';
import { CELL_STEPS } from './cells/cell-steps.js';
import type { Pair } from './surface/outcome.js';
import { runBothWith } from './surface/run-script.js';
import type { Script } from './surface/script.js';
import { cleanEnvironment, NODE } from './testing/built-cli.js';

const PROGRAM = fileURLToPath(new URL('cells/cell-server.mjs', import.meta.url));
const rows: CellRow[] = [];
const used = new Set<string>();

function scriptFor({ server }: Cell): Script<CellClient> {
  return {
    server: 'a server on SDK 2.4.0',
    protocol: server,
    program: { command: NODE, args: [PROGRAM], env: cleanEnvironment() },
    fence: { tool: 'echo', args: { message: 'fence' } },
    steps: CELL_STEPS.map((step) => ({ row: '', ...step })),
  };
}

function isSame(pair: Pair, rules: readonly CellRule[]): boolean {
  const { direct, through } = explainedBy(rules, pair);
  return isDeepStrictEqual(through, direct);
}

/** The fewest rules of a cell that leave no difference; all that change anything when none do. */
function neededFor(pair: Pair, cell: Cell): readonly CellRule[] {
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

function shown({ direct, through }: Pair): Pair {
  return { direct: withQuestions(direct), through: withQuestions(through) };
}

describe.each(
  CELLS.map((cell) => [nameOf(cell), REVISIONS[cell.client], REVISIONS[cell.server], cell] as const),
)(
  '%s: a client of %s uses a server that mcpmux speaks %s to, as it uses the server alone',
  (name, _client, _server, cell) => {
    let pairs: readonly Pair[] = [];

    beforeAll(async () => {
      pairs = await runBothWith(
        scriptFor(cell),
        (program, prefix) => new CellClient(cell.client, program, prefix),
      );
    }, 120_000);

    it.each(CELL_STEPS.map((step, index) => [`${step.method}: ${step.does}`, step, index] as const))(
      '%s',
      (__, step, index) => {
        const pair = shown(pairs[index] ?? { direct: [], through: [] });
        const rules = neededFor(pair, cell);
        const { direct, through } = explainedBy(rules, pair);
        for (const rule of rules) used.add(rule.name);
        rows.push(cellRow(name, step, pair, rules));
        expect(direct.filter(({ kind }) => kind === 'timeout' || kind === 'sdk error')).toEqual([]);
        expect(through).toEqual(direct);
      },
    );
  },
);

// a filtered run has no complete table
const isComplete = (): boolean => rows.length === CELLS.length * CELL_STEPS.length;

it('every rule explains a difference of some step', () => {
  const unused = CELL_RULES.map(({ name }) => name).filter((name) => !used.has(name));
  expect(isComplete() ? unused : []).toEqual([]);
});

afterAll(async () => {
  if (!isComplete()) return;
  await writeCells({ rules: Object.fromEntries(CELL_RULES.map(({ name, title }) => [name, title])), rows });
});
