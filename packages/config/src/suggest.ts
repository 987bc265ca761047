import { distance } from 'fastest-levenshtein';

const MAX_DISTANCE = 3;

/** Returns the most similar candidate that needs at most three edits, and at most half the word's length. */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  let maxEdits = Math.min(MAX_DISTANCE, Math.floor(word.length / 2));
  let best: string | undefined;
  for (const candidate of candidates) {
    const editCount = editDistance(wanted, candidate.toLowerCase());
    if (editCount > maxEdits || (editCount === maxEdits && best !== undefined)) continue;
    best = candidate;
    maxEdits = editCount;
  }
  return best;
}

/**
 * Returns the edit distance, minus one if the words differ only in the order of their letters, because transposed
 * letters are a common mistake.
 */
function editDistance(from: string, to: string): number {
  const letters = (word: string): string => word.split('').toSorted().join('');
  return distance(from, to) - (from !== to && letters(from) === letters(to) ? 1 : 0);
}

/** Returns a sentence to append to an error message, or an empty string if no candidate is similar enough. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const suggestion = suggest(word, candidates);
  return suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`;
}
