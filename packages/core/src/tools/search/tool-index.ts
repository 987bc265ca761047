import { NearTerms } from './near-terms.js';
import { Postings } from './postings.js';
import type { ToolDocument } from './tool-document.js';
import { meaning, term, words } from './words.js';

/** The weight of a word in each field of a tool. */
const FIELDS: readonly (readonly [field: keyof ToolDocument, weight: number])[] = [
  ['name', 4],
  ['title', 2],
  ['server', 2],
  ['description', 1],
  ['parameters', 0.7],
  ['values', 0.2],
];

/** Weights relative to an exact match: a synonym counts less, and a longer or similar word even less. */
const MEANING_WEIGHT = 0.7;
const PREFIX_WEIGHT = 0.5;
const NEAR_WEIGHT = 0.4;
/** How strongly tools are discounted that match few words of a query; 0 means no discount. */
const COVERAGE = 0.3;
/** Prefix for the term of a meaning, which distinguishes it from all words. */
const MEANING = '\u0001';

/** The result of a search: the best documents, and the number of all matches. */
export interface Found {
  readonly documents: readonly number[];
  readonly total: number;
}

/** An index of tools by their words. */
export class ToolIndex {
  private readonly postings = new Postings();
  private readonly near: NearTerms;
  /** Caches the terms of each word, because the text of all tools consists of the same few thousand words. */
  private readonly terms = new Map<string, readonly string[]>();

  constructor(documents: readonly ToolDocument[]) {
    for (const document of documents) this.postings.add(this.weighted(document));
    this.near = new NearTerms([...this.postings.vocabulary].filter((one) => !one.startsWith(MEANING)));
    this.terms.clear();
  }

  /**
   * Finds the documents that match the words of a query, the best first.
   *
   * @param counts returns true for documents that the search may return
   */
  search(query: string, limit: number, counts: (document: number) => boolean = () => true): Found {
    const scores = new Float64Array(this.postings.size);
    const asked = new Set(words(query).map((word) => word.toLowerCase()));
    const indexed = [...asked].filter((word) => term(word) !== null);
    // A query of only common words still finds tools with these words in their names.
    const chosen = indexed.length > 0 ? indexed : [...asked];
    const matches = new Uint8Array(scores.length);
    for (const word of chosen) {
      const own = new Float64Array(scores.length);
      this.score(word, own);
      own.forEach((score, document) => {
        scores[document] = (scores[document] ?? 0) + score;
        if (score > 0) matches[document] = (matches[document] ?? 0) + 1;
      });
    }
    const covered = scores.map(
      (score, document) => score * ((matches[document] ?? 0) / (chosen.length || 1)) ** COVERAGE,
    );
    return bestOf(covered, limit, counts);
  }

  private score(word: string, scores: Float64Array): void {
    const { postings, near } = this;
    const stem = term(word) ?? word;
    postings.addScores(stem, 1, scores);
    postings.addScores(MEANING + meaning(stem), MEANING_WEIGHT, scores);
    if (postings.has(stem)) return;
    for (const longer of near.beginningWith(stem)) postings.addScores(longer, PREFIX_WEIGHT, scores);
    for (const similar of near.near(stem)) postings.addScores(similar, NEAR_WEIGHT, scores);
  }

  private weighted(document: ToolDocument): ReadonlyMap<string, number> {
    const weights = new Map<string, number>();
    for (const [field, weight] of FIELDS) {
      for (const word of words(document[field])) {
        for (const one of this.termsOf(word)) weights.set(one, (weights.get(one) ?? 0) + weight);
      }
    }
    return weights;
  }

  private termsOf(word: string): readonly string[] {
    const known = this.terms.get(word);
    if (known !== undefined) return known;
    const stem = term(word);
    const made = stem === null ? [] : [stem, MEANING + meaning(stem)];
    this.terms.set(word, made);
    return made;
  }
}

/** A matching document. */
interface Scored {
  readonly document: number;
  readonly score: number;
}

/**
 * Returns the documents with the highest scores, the best first. Of equal scores, the earlier document comes first.
 * Faster than sorting all documents.
 */
export function bestOf(scores: Float64Array, limit: number, counts: (document: number) => boolean) {
  const best: Scored[] = [];
  let total = 0;
  for (let document = 0; document < scores.length; document += 1) {
    const score = scores[document] ?? 0;
    if (score === 0 || !counts(document)) continue;
    total += 1;
    const least = best.at(-1);
    if (best.length === limit && least !== undefined && least.score >= score) continue;
    if (best.length === limit) best.pop();
    best.splice(placeOf(score, best), 0, { document, score });
  }
  return { documents: best.map(({ document }) => document), total };
}

/** Returns the position after all documents with this score or a higher one. */
function placeOf(score: number, best: readonly Scored[]): number {
  let low = 0;
  let high = best.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((best[middle]?.score ?? 0) >= score) low = middle + 1;
    else high = middle;
  }
  return low;
}
