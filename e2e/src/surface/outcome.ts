/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** One thing that a client sees. Ids are left out: a response names the method it answers. */
export type Seen =
  | { readonly kind: 'result'; readonly to: string; readonly result: JsonObject }
  | { readonly kind: 'error'; readonly to: string; readonly error: JsonObject }
  | { readonly kind: 'request'; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'sdk error'; readonly message: string }
  | { readonly kind: 'timeout'; readonly message: string };

/** All that a client sees during one step, in the order in which it came. */
export type Outcome = readonly Seen[];

/** What one step brings with the server alone and through mcpmux. */
export interface Pair {
  readonly direct: Outcome;
  readonly through: Outcome;
}

/** One line that says what came, for a table: `progress, progress, result`. */
export function summarize(outcome: Outcome): string {
  const words = outcome.map((seen) => {
    if (seen.kind === 'request') return `asks ${seen.method}`;
    if (seen.kind === 'notification') return seen.method.replace('notifications/', '');
    if (seen.kind === 'error') return `error ${JSON.stringify(seen.error['code'])}`;
    if (seen.kind === 'result' && seen.result['resultType'] === 'input_required') return 'round';
    if (seen.kind === 'result') return seen.result['isError'] === true ? 'failure' : 'result';
    return seen.kind;
  });
  return counted(words).join(', ') || 'nothing';
}

/** Joins what repeats: `progress ×3`. */
function counted(words: readonly string[]): readonly string[] {
  const runs: { word: string; count: number }[] = [];
  for (const word of words) {
    const last = runs.at(-1);
    if (last?.word === word) last.count += 1;
    else runs.push({ word, count: 1 });
  }
  return runs.map(({ word, count }) => (count === 1 ? word : `${word} ×${count}`));
}
