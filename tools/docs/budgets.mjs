// Words of each page against budgets.json: a page has the budget of its path, or shares that of its folder.
const STEP = 50;

/** The pages above their budget, pages without one, and budgets without a page. Words are those of `wc -w`; features add `grown` to the total. */
export function budgetProblems(pages, { total, words }, grown) {
  const sums = sumsOf(pages, words);
  const all = pages.reduce((sum, { text }) => sum + wordsOf(text), 0);
  return [
    ...pages
      .filter(({ path }) => keyOf(path, words) === undefined)
      .map(({ path }) => `${path}: no budget of words in tools/docs/budgets.json`),
    ...Object.keys(words)
      .filter((key) => !sums.has(key))
      .map((key) => `tools/docs/budgets.json: there is no page ${key}`),
    ...[...sums, ['all pages', all]].flatMap(([key, sum]) => {
      const most = words[key] ?? total + grown;
      return sum <= most ? [] : [`${key}: ${sum} words, ${sum - most} above the budget`];
    }),
  ];
}

/** The budgets, lowered to the words that are there. Only a feature of features.json raises one. */
export function lowered(pages, budgets, grown) {
  const sums = sumsOf(pages, budgets.words);
  const words = Object.entries(budgets.words)
    .filter(([key]) => sums.has(key))
    .map(([key, most]) => [key, Math.min(most, rounded(sums.get(key)))]);
  const all = pages.reduce((sum, { text }) => sum + wordsOf(text), 0);
  return {
    ...budgets,
    total: Math.min(budgets.total, rounded(all) - grown),
    words: Object.fromEntries(words),
  };
}

function sumsOf(pages, words) {
  const sums = new Map();
  for (const { path, text } of pages) {
    const key = keyOf(path, words);
    if (key !== undefined) sums.set(key, (sums.get(key) ?? 0) + wordsOf(text));
  }
  return sums;
}

/** The key of the budget of a page: its path, or the longest folder of it that has one. */
function keyOf(path, words) {
  if (Object.hasOwn(words, path)) return path;
  const folders = Object.keys(words).filter((key) => key.endsWith('/') && path.startsWith(key));
  return folders.toSorted((one, other) => other.length - one.length)[0];
}

function wordsOf(text) {
  return text.split(/\s+/).filter((word) => word !== '').length;
}

function rounded(words) {
  return Math.ceil(words / STEP) * STEP;
}
