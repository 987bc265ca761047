import { NearTerms } from './near-terms.js';
import { Postings } from './postings.js';
import type { ToolDocument } from './tool-document.js';
import { meaningOf, stemUnlessCommon, splitWords } from './words.js';

/** The weight of a word in each field of a tool's document. */
const FIELD_WEIGHTS: readonly (readonly [field: keyof ToolDocument, weight: number])[] = [
  ['name', 4],
  ['title', 2],
  ['server', 2],
  ['description', 1],
  ['parameters', 0.7],
  ['values', 0.2],
];

/** Weights relative to an exact match: a synonym counts less, and a longer or similar word counts even less. */
const MEANING_WEIGHT = 0.7;
const PREFIX_WEIGHT = 0.5;
const NEAR_WEIGHT = 0.4;
/** How strongly to reduce the score of a tool that matches only some words of a query, as an exponent. */
const COVERAGE_EXPONENT = 0.3;
/** The prefix of terms that represent a meaning shared by several words. No word begins with it. */
const MEANING_PREFIX = '\u0001';

/** A search result: the best documents, and the number of all matches. */
export interface SearchResult {
  readonly documents: readonly number[];
  readonly total: number;
}

/** An index of tools by their words. */
export class ToolIndex {
  private readonly postings = new Postings();
  private readonly nearTerms: NearTerms;
  /** Caches each word's terms, because the texts of all tools consist of the same few thousand words. */
  private readonly termsByWord = new Map<string, readonly string[]>();

  constructor(documents: readonly ToolDocument[]) {
    for (const document of documents) this.postings.addDocument(this.weightedTermsOf(document));
    this.nearTerms = new NearTerms(
      [...this.postings.vocabulary].filter((one) => !one.startsWith(MEANING_PREFIX)),
    );
    this.termsByWord.clear();
  }

  /**
   * Finds the documents that match the words of a query, best first.
   *
   * @param isIncluded returns true for documents that the search may return
   */
  search(query: string, limit: number, isIncluded: (document: number) => boolean = () => true): SearchResult {
    const scores = new Float64Array(this.postings.size);
    const queryWords = new Set(splitWords(query).map((word) => word.toLowerCase()));
    const indexedWords = [...queryWords].filter((word) => stemUnlessCommon(word) !== null);
    // Common words are not indexed, but a query of only common words may still match longer or similar words.
    const searchedWords = indexedWords.length > 0 ? indexedWords : [...queryWords];
    const matchCounts = new Uint8Array(scores.length);
    for (const word of searchedWords) {
      const wordScores = new Float64Array(scores.length);
      this.addWordScores(word, wordScores);
      wordScores.forEach((score, document) => {
        scores[document] = (scores[document] ?? 0) + score;
        if (score > 0) matchCounts[document] = (matchCounts[document] ?? 0) + 1;
      });
    }
    const weightedScores = scores.map(
      (score, document) =>
        score * ((matchCounts[document] ?? 0) / (searchedWords.length || 1)) ** COVERAGE_EXPONENT,
    );
    return bestDocuments(weightedScores, limit, isIncluded);
  }

  private addWordScores(word: string, scores: Float64Array): void {
    const { postings, nearTerms } = this;
    const stem = stemUnlessCommon(word) ?? word;
    postings.addScores(stem, 1, scores);
    postings.addScores(MEANING_PREFIX + meaningOf(stem), MEANING_WEIGHT, scores);
    if (postings.hasTerm(stem)) return;
    for (const longer of nearTerms.termsWithPrefix(stem)) postings.addScores(longer, PREFIX_WEIGHT, scores);
    for (const similar of nearTerms.similarTerms(stem)) postings.addScores(similar, NEAR_WEIGHT, scores);
  }

  private weightedTermsOf(document: ToolDocument): ReadonlyMap<string, number> {
    const weights = new Map<string, number>();
    for (const [field, weight] of FIELD_WEIGHTS) {
      for (const word of splitWords(document[field])) {
        for (const indexTerm of this.termsOf(word))
          weights.set(indexTerm, (weights.get(indexTerm) ?? 0) + weight);
      }
    }
    return weights;
  }

  private termsOf(word: string): readonly string[] {
    const cached = this.termsByWord.get(word);
    if (cached !== undefined) return cached;
    const stem = stemUnlessCommon(word);
    const newTerms = stem === null ? [] : [stem, MEANING_PREFIX + meaningOf(stem)];
    this.termsByWord.set(word, newTerms);
    return newTerms;
  }
}

/** A matching document. */
interface ScoredDocument {
  readonly document: number;
  readonly score: number;
}

/**
 * Returns the documents with the highest scores, best first. Of documents with equal scores, the earlier one comes
 * first. Faster than sorting all documents.
 */
export function bestDocuments(
  scores: Float64Array,
  limit: number,
  isIncluded: (document: number) => boolean,
) {
  const best: ScoredDocument[] = [];
  let total = 0;
  for (let document = 0; document < scores.length; document += 1) {
    const score = scores[document] ?? 0;
    if (score === 0 || !isIncluded(document)) continue;
    total += 1;
    const worst = best.at(-1);
    if (best.length === limit && worst !== undefined && worst.score >= score) continue;
    if (best.length === limit) best.pop();
    best.splice(insertionIndex(score, best), 0, { document, score });
  }
  return { documents: best.map(({ document }) => document), total };
}

/** Returns the position after the last document with at least this score. */
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
