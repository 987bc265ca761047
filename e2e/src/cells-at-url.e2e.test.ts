import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CellClient } from './cells/cell-client.js';
import { CELLS, nameOf, REVISIONS } from './cells/cell.js';
import { neededFor, shown } from './cells/cell-difference.js';
import { explainedBy } from './cells/cell-rules.js';
import { CELL_STEPS } from './cells/cell-steps.js';
import type { Outcome, Pair, Seen } from './surface/outcome.js';
import { runBothWith } from './surface/run-script.js';
import { cleanEnvironment, NODE } from './testing/built-cli.js';
import { type ProgramAtUrl, programAtUrl } from './testing/program-at-url.js';

const inCells = (file: string): string => fileURLToPath(new URL(`cells/${file}`, import.meta.url));

const UNBOUND = /^notifications\/(?:resources\/updated|\w+\/list_changed)$/;

/** What belongs to no request comes by a connection of its own, so that its place among answers is open: it goes last. */
function inOrder(outcome: Outcome): Outcome {
  const isUnbound = (seen: Seen): boolean => seen.kind === 'notification' && UNBOUND.test(seen.method);
  return [...outcome.filter((seen) => !isUnbound(seen)), ...outcome.filter(isUnbound)];
}

describe.each(
  CELLS.map((cell) => [nameOf(cell), REVISIONS[cell.client], REVISIONS[cell.server], cell] as const),
)(
  '%s: a client of %s on stdio uses a server at a url that mcpmux speaks %s to, as it uses the server alone on stdio',
  (_, _client, _server, cell) => {
    let pairs: readonly Pair[] = [];
    let server: ProgramAtUrl;

    beforeAll(async () => {
      server = await programAtUrl(inCells('cell-server-http.mjs'));
      pairs = await runBothWith(
        {
          server: 'a server on SDK 2.4.0',
          protocol: cell.server,
          program: { command: NODE, args: [inCells('cell-server.mjs')], env: cleanEnvironment() },
          url: server.url,
          fence: { tool: 'echo', args: { message: 'fence' } },
          steps: CELL_STEPS.map((step) => ({ row: '', ...step })),
        },
        (program, prefix) => new CellClient(cell.client, program, prefix),
      );
    }, 120_000);

    afterAll(() => server[Symbol.asyncDispose]());

    it.each(CELL_STEPS.map((step, index) => [`${step.method}: ${step.does}`, index] as const))(
      '%s',
      (__, index) => {
        const pair = shown(pairs[index] ?? { direct: [], through: [] });
        const { direct, through } = explainedBy(neededFor(pair, cell), pair);
        expect(direct.filter(({ kind }) => kind === 'timeout' || kind === 'sdk error')).toEqual([]);
        expect(inOrder(through)).toEqual(inOrder(direct));
      },
    );
  },
);
