import MiniSearch from 'minisearch';

import type { ToolDocument } from './tool-document.js';
import { meaning, term, words } from './words.js';

/** How much a word in each text of a tool tells. */
const WEIGHT: Readonly<Record<string, number>> = {
  name: 4,
  title: 3,
  server: 2,
  description: 1.5,
  parameters: 1,
  values: 0.4,
};
/** A word that means the same counts less than the word itself. */
const SYNONYM = 0.6;
const FIELDS = Object.keys(WEIGHT);

/** An index of tools by their words. */
export class ToolIndex {
  private readonly index: MiniSearch<ToolDocument>;

  constructor(documents: readonly ToolDocument[]) {
    this.index = new MiniSearch<ToolDocument>({ fields: FIELDS, tokenize: words, processTerm: terms });
    this.index.addAll(documents);
  }

  /** The ids of the tools that the words of a query fit, the best first. */
  search(query: string): readonly number[] {
    const asked = words(query);
    const told = asked.filter((word) => term(word) !== null);
    const found = this.index.search((told.length === 0 ? asked : told).join(' '), {
      boost: WEIGHT,
      prefix: (word) => word.length > 2,
      fuzzy: fuzziness,
      weights: { fuzzy: 0.3, prefix: 0.5 },
      tokenize: words,
      processTerm: asTerms,
      boostTerm: (word) => (word.startsWith(MEANING) ? SYNONYM : 1),
    });
    return found.map(({ id }) => Number(id));
  }
}

/** Begins the term of a meaning, so that it is not taken for a word. */
const MEANING = '\u0001';

function terms(word: string): string[] | null {
  const one = term(word);
  return one === null ? null : [one, MEANING + meaning(one)];
}

/** A query of nothing but common words still finds their tools. */
function asTerms(word: string): string[] {
  return terms(word) ?? [word.toLowerCase()];
}

/** Short words have too many neighbours, and meanings are not misspelled. */
function fuzziness(word: string): number | false {
  return word.length > 4 && !word.startsWith(MEANING) ? 0.2 : false;
}
