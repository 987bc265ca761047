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
/** Exponent of the discount for tools that match only some words of a query; 0 means no discount. */
const COVERAGE = 0.3;
/** Prefix for the term of a meaning, which distinguishes it from all words. */
const MEANING = '\u0001';

/** The result of a search: the best documents, and the number of all matches. */
export interface SearchResult {
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
  search(query: string, limit: number, counts: (document: number) => boolean = () => true): SearchResult {
    const scores = new Float64Array(this.postings.size);
    const queryWords = new Set(words(query).map((word) => word.toLowerCase()));
    const indexedWords = [...queryWords].filter((word) => term(word) !== null);
    // A query of only common words still finds tools with these words in their names.
    const searchedWords = indexedWords.length > 0 ? indexedWords : [...queryWords];
    const matches = new Uint8Array(scores.length);
    for (const word of searchedWords) {
      const wordScores = new Float64Array(scores.length);
      this.score(word, wordScores);
      wordScores.forEach((score, document) => {
        scores[document] = (scores[document] ?? 0) + score;
        if (score > 0) matches[document] = (matches[document] ?? 0) + 1;
      });
    }
    const weightedScores = scores.map(
      (score, document) => score * ((matches[document] ?? 0) / (searchedWords.length || 1)) ** COVERAGE,
    );
    return bestOf(weightedScores, limit, counts);
  }

  private score(word: string, scores: Float64Array): void {
    const { postings, near } = this;
    const stem = term(word) ?? word;
    postings.addScores(stem, 1, scores);
    postings.addScores(MEANING + meaning(stem), MEANING_WEIGHT, scores);
    if (postings.has(stem)) return;
    for (const longer of near.withPrefix(stem)) postings.addScores(longer, PREFIX_WEIGHT, scores);
    for (const similar of near.similar(stem)) postings.addScores(similar, NEAR_WEIGHT, scores);
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
    const cached = this.terms.get(word);
    if (cached !== undefined) return cached;
    const stem = term(word);
    const newTerms = stem === null ? [] : [stem, MEANING + meaning(stem)];
    this.terms.set(word, newTerms);
    return newTerms;
  }
}

/** A matching document. */
interface ScoredDocument {
  readonly document: number;
  readonly score: number;
}

/**
 * Returns the documents with the highest scores, the best first. Of equal scores, the earlier document comes first.
 * Faster than sorting all documents.
 */
export function bestOf(scores: Float64Array, limit: number, counts: (document: number) => boolean) {
  const best: ScoredDocument[] = [];
  let total = 0;
  for (let document = 0; document < scores.length; document += 1) {
    const score = scores[document] ?? 0;
    if (score === 0 || !counts(document)) continue;
    total += 1;
    const worst = best.at(-1);
    if (best.length === limit && worst !== undefined && worst.score >= score) continue;
    if (best.length === limit) best.pop();
    best.splice(insertionIndex(score, best), 0, { document, score });
  }
  return { documents: best.map(({ document }) => document), total };
}

/** Returns the position after all documents with this score or a higher one. */
function insertionIndex(score: number, best: readonly ScoredDocument[]): number {
  let low = 0;
  let high = best.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((best[middle]?.score ?? 0) >= score) low = middle + 1;
    else high = middle;
  }
  return low;
}
