/** A tool that is in the list if the budget has room for it. */
export interface Fitting {
  readonly name: string;
  readonly tokens: number;
}

/**
 * Returns the names of the tools that fit into a budget: the most used first, tools of equal use in the order of the
 * list. A tool that does not fit leaves its room to the next tools.
 *
 * @param uses returns the number of calls of a tool
 */
export function fittingTools(
  tools: readonly Fitting[],
  budget: number,
  uses: (name: string) => number,
): ReadonlySet<string> {
  const ranked = tools
    .map(({ name, tokens }) => ({ name, tokens, uses: uses(name) }))
    // The sort is stable, so tools of equal use keep their order.
    .toSorted((left, right) => right.uses - left.uses);
  let left = budget;
  const fitting = ranked.filter(({ tokens }) => {
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
  return new Set(fitting.map(({ name }) => name));
}
