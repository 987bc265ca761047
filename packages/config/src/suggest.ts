import { distance } from 'fastest-levenshtein';

const MAX_DISTANCE = 3;

/** Returns the most similar candidate, unless it is more than three edits, or half the word's length, away. */
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
 * Returns the edit distance. Subtracts one if the words have the same letters in a different order, because transposed
 * letters are a common mistake.
 */
function editDistance(from: string, to: string): number {
  const letters = (word: string): string => word.split('').toSorted().join('');
  return distance(from, to) - (from !== to && letters(from) === letters(to) ? 1 : 0);
}

/** Returns the suggestion as a sentence to append to another one. Empty if no candidate is similar enough. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const suggestion = suggest(word, candidates);
  return suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`;
}
