/** How fast further occurrences of a word in one document stop to count. */
const SATURATION = 1.2;
/** How much long documents are discounted. */
const LENGTH_WEIGHT = 0.75;

/** The documents of one term, and how often it stands in each of them, weighted by field. */
interface Posting {
  readonly documents: number[];
  readonly frequencies: number[];
}

/** The weighted words of one document. */
export type WeightedTerms = ReadonlyMap<string, number>;

/** An inverted index, and the score (BM25) of a term in each of its documents. */
export class Postings {
  private readonly terms = new Map<string, Posting>();
  private readonly lengths: number[] = [];
  private totalLength = 0;

  get size(): number {
    return this.lengths.length;
  }

  get vocabulary(): Iterable<string> {
    return this.terms.keys();
  }

  has(term: string): boolean {
    return this.terms.has(term);
  }

  add(words: WeightedTerms): void {
    const document = this.lengths.length;
    let length = 0;
    for (const [term, frequency] of words) {
      const posting = this.terms.get(term) ?? { documents: [], frequencies: [] };
      this.terms.set(term, posting);
      posting.documents.push(document);
      posting.frequencies.push(frequency);
      length += frequency;
    }
    this.lengths.push(length);
    this.totalLength += length;
  }

  /** Adds the scores of a term, times `weight`, to those of the documents that have it. */
  addScores(term: string, weight: number, scores: Float64Array): void {
    const posting = this.terms.get(term);
    if (posting === undefined) return;
    const { documents, frequencies } = posting;
    const { size, lengths } = this;
    const rarity = Math.log(1 + (size - documents.length + 0.5) / (documents.length + 0.5));
    const average = this.totalLength / size;
    const factor = weight * rarity * (SATURATION + 1);
    // A loop over indexes: a word such as "get" stands in most documents.
    for (let index = 0; index < documents.length; index += 1) {
      const document = documents[index] ?? 0;
      const frequency = frequencies[index] ?? 0;
      const length = 1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * (lengths[document] ?? 0)) / average;
      scores[document] = (scores[document] ?? 0) + (factor * frequency) / (frequency + SATURATION * length);
    }
  }
}
