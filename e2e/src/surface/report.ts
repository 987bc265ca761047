import { summarize, type Pair } from './outcome.js';
import { explained, type RuleName } from './rules/rules.js';
import { SERVER } from './run-script.js';
import type { Script, Step } from './script.js';

/** What a client sees of a step: of the server alone, and through mcpmux where that differs. */
export interface Outcome {
  readonly direct: string;
  readonly through?: string;
}

/** One row of `docs/internals/features.json`. */
export interface Row extends Outcome {
  readonly server: string;
  readonly row: string;
  readonly method: string;
  readonly does: string;
  readonly rules?: readonly RuleName[];
}

/** How mcpmux came to its server is nothing that a script does. */
const ADDED: ReadonlySet<RuleName> = new Set(['instructions']);

/** The row of a step: what a client sees, with and without mcpmux. */
export function rowOf({ server }: Script, step: Step, pair: Pair): Row {
  const { row, method, does, rules = [] } = step;
  const hidden = rules.filter((name) => ADDED.has(name));
  const outcome = outcomeOf(explained(pair, hidden, SERVER));
  return { server, row, method, does, ...outcome, ...(rules.length > 0 && { rules }) };
}

/** The outcome of a pair, in words. */
export function outcomeOf(pair: Pair): Outcome {
  const [direct, through] = [summarize(pair.direct), summarize(pair.through)];
  return direct === through ? { direct } : { direct, through };
}

/** Rows and the rules that they name as JSON, a row a line, so that a difference shows what a client sees now. */
export function tableText(rules: Readonly<Record<string, string>>, rows: readonly object[]): string {
  const lines = rows.map((row) => JSON.stringify(row)).join(',\n');
  return `{"rules":${JSON.stringify(rules, null, 1)},\n"rows":[\n${lines}\n]}\n`;
}
