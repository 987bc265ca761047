import { isDeepStrictEqual } from 'node:util';

import { beforeAll, describe, expect, it } from 'vitest';

import type { Pair } from './surface/outcome.js';
import { rowOf, tableText, type Row } from './surface/report.js';
import { explained, RULES, type RuleName } from './surface/rules/rules.js';
import { runBoth, SERVER } from './surface/run-script.js';
import type { Script, Step } from './surface/script.js';
import { INTERACTIVE } from './surface/scripts/interactive.js';
import { PROMPTS, RESOURCES } from './surface/scripts/listings.js';
import { LOGGING, UNKNOWNS } from './surface/scripts/oddities.js';
import { PAGED, PROGRESS } from './surface/scripts/streams.js';
import { TASKS } from './surface/scripts/tasks.js';
import { EVERYTHING } from './surface/scripts/everything.js';
import type { Rule } from './surface/rules/rule.js';

const SCRIPTS: readonly Script[] = [
  EVERYTHING,
  INTERACTIVE,
  TASKS,
  RESOURCES,
  PROMPTS,
  LOGGING,
  UNKNOWNS,
  PAGED,
  PROGRESS,
];
const rows: Row[] = [];

function titleOf({ row, method, does }: Step): string {
  return `${row}: ${method}: ${does}`;
}

/** Whether the rules leave no difference. */
function isSame(pair: Pair, rules: readonly RuleName[]): boolean {
  const { direct, through } = explained(pair, rules, SERVER);
  return isDeepStrictEqual(through, direct);
}

/** The rules that a step names without need: whatever they explain does not happen in it. */
function unneeded(pair: Pair, { rules = [] }: Step): readonly RuleName[] {
  return rules.filter((name) => {
    const rule: Rule = RULES[name];
    return (
      rule.isChance !== true &&
      isSame(
        pair,
        rules.filter((other) => other !== name),
      )
    );
  });
}

describe.each(SCRIPTS.map((script) => [script.server, script] as const))('%s', (_, script) => {
  let pairs: readonly Pair[] = [];

  beforeAll(async () => {
    pairs = await runBoth(script);
  }, 300_000);

  const table = script.steps.map((step, index) => [titleOf(step), step, index] as const);

  it.each(table)('%s', (__, step, index) => {
    const pair = pairs[index] ?? { direct: [], through: [] };
    const { direct, through } = explained(pair, step.rules ?? [], SERVER);
    rows.push(rowOf(script, step, pair));
    expect(direct.filter(({ kind }) => kind === 'timeout' || kind === 'sdk error')).toEqual([]);
    expect(through).toEqual(direct);
    expect(unneeded(pair, step)).toEqual([]);
  });
});

it('every rule explains a difference of some step', () => {
  const named = new Set(SCRIPTS.flatMap(({ steps }) => steps.flatMap(({ rules = [] }) => rules)));
  expect(Object.keys(RULES).filter((name) => !named.has(name as RuleName))).toEqual([]);
});

// repaired by a run with -u, which writes the file
it('a client sees what docs/internals/features.json says', async ({ skip }) => {
  const steps = SCRIPTS.flatMap((script) => script.steps);
  skip(rows.length < steps.length, 'a filtered run has no complete table');
  const titles = Object.fromEntries(Object.entries(RULES).map(([name, { title }]) => [name, title]));
  await expect(tableText(titles, rows)).toMatchFileSnapshot('../../docs/internals/features.json');
});
