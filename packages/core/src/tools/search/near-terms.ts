/** The minimum length of a word for fuzzy matching. Too many words resemble a shorter word. */
const MIN_FUZZY_LENGTH = 5;
const MIN_PREFIX_LENGTH = 3;
/** A fuzzy match allows one edit per this many characters, and at most two edits. */
const CHARACTERS_PER_EDIT = 5;
const MAX_EDITS = 2;

/** Finds the words of a vocabulary that a misspelled or incomplete word may stand for. */
export class NearTerms {
  /** The terms by their first character, which is rarely misspelled. */
  private readonly termsByFirstCharacter = new Map<string, string[]>();

  constructor(vocabulary: Iterable<string>) {
    for (const term of vocabulary) {
      const first = term.slice(0, 1);
      const terms = this.termsByFirstCharacter.get(first);
      if (terms === undefined) this.termsByFirstCharacter.set(first, [term]);
      else terms.push(term);
    }
  }

  termsWithPrefix(word: string): readonly string[] {
    if (word.length < MIN_PREFIX_LENGTH) return [];
    return this.termsWithSameFirst(word).filter((term) => term.length > word.length && term.startsWith(word));
  }

  similarTerms(word: string): readonly string[] {
    if (word.length < MIN_FUZZY_LENGTH) return [];
    const maxEdits = Math.min(MAX_EDITS, Math.floor(word.length / CHARACTERS_PER_EDIT));
    return this.termsWithSameFirst(word).filter(
      (term) => Math.abs(term.length - word.length) <= maxEdits && editDistance(word, term) <= maxEdits,
    );
  }

  private termsWithSameFirst(word: string): readonly string[] {
    return this.termsByFirstCharacter.get(word.slice(0, 1)) ?? [];
  }
}

/** Returns the number of edits between two words. Swapping two characters counts as one edit. */
function editDistance(left: string, right: string): number {
  let previousRow: number[] = [];
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const nextRow = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const isSame = left[i - 1] === right[j - 1];
      let cost = Math.min((row[j] ?? 0) + 1, (nextRow[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (isSame ? 0 : 1));
      const isSwapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      if (isSwapped) cost = Math.min(cost, (previousRow[j - 2] ?? 0) + 1);
      nextRow.push(cost);
    }
    previousRow = row;
    row = nextRow;
  }
  return row[right.length] ?? 0;
}
