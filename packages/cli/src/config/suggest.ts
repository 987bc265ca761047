import { distance } from 'fastest-levenshtein';

const MAX_DISTANCE = 3;

/** The word that was probably meant, if any is near enough: at most three edits and at most half of the word. */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  const near = (candidate: string): number => distance(word.toLowerCase(), candidate.toLowerCase());
  const [best] = [...candidates].toSorted((a, b) => near(a) - near(b));
  const most = Math.min(MAX_DISTANCE, Math.floor(word.length / 2));
  return best !== undefined && near(best) <= most ? best : undefined;
}

/** The same as a sentence behind another one; empty where no word is near enough. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const meant = suggest(word, candidates);
  return meant === undefined ? '' : ` Did you mean "${meant}"?`;
}
