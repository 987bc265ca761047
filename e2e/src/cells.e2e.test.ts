import { fileURLToPath } from 'node:url';

import { beforeAll, describe, expect, it } from 'vitest';

import { CellClient } from './cells/cell-client.js';
import { CELLS, nameOf, REVISIONS, type Cell } from './cells/cell.js';
import { neededFor, shown } from './cells/cell-difference.js';
import { CELL_RULES, explainedBy } from './cells/cell-rules.js';
import { cellRow, type CellRow } from './cells/cell-report.js';
import { CELL_STEPS } from './cells/cell-steps.js';
import type { Pair } from './surface/outcome.js';
import { tableText } from './surface/report.js';
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

// repaired by a run with -u, which writes the file
it('clients of both eras see what docs/internals/eras.json says', async ({ skip }) => {
  skip(!isComplete(), 'a filtered run has no complete table');
  const titles = Object.fromEntries(CELL_RULES.map(({ name, title }) => [name, title]));
  await expect(tableText(titles, rows)).toMatchFileSnapshot('../../docs/internals/eras.json');
});
