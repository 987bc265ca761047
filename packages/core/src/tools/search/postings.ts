/** How much repetitions of a word in a document count (BM25 k1). */
const SATURATION = 1.2;
/** How strongly the score of a long document is reduced (BM25 b). */
const LENGTH_WEIGHT = 0.75;

/** The documents that contain a term, each with the term's frequency, weighted by field. */
interface Posting {
  readonly documents: number[];
  readonly frequencies: number[];
}

/** The weighted words of one document. */
export type WeightedTerms = ReadonlyMap<string, number>;

/** An inverted index with BM25 scores. */
export class Postings {
  private readonly postingsByTerm = new Map<string, Posting>();
  private readonly documentLengths: number[] = [];
  private totalLength = 0;

  get size(): number {
    return this.documentLengths.length;
  }

  get vocabulary(): Iterable<string> {
    return this.postingsByTerm.keys();
  }

  hasTerm(term: string): boolean {
    return this.postingsByTerm.has(term);
  }

  addDocument(words: WeightedTerms): void {
    const document = this.documentLengths.length;
    let length = 0;
    for (const [term, frequency] of words) {
      const posting = this.postingsByTerm.get(term) ?? { documents: [], frequencies: [] };
      this.postingsByTerm.set(term, posting);
      posting.documents.push(document);
      posting.frequencies.push(frequency);
      length += frequency;
    }
    this.documentLengths.push(length);
    this.totalLength += length;
  }

  /** Adds a term's scores, multiplied by `weight`, to the scores of the documents that contain the term. */
  addScores(term: string, weight: number, scores: Float64Array): void {
    const posting = this.postingsByTerm.get(term);
    if (posting === undefined) return;
    const { documents, frequencies } = posting;
    const { size, documentLengths } = this;
    const rarity = Math.log(1 + (size - documents.length + 0.5) / (documents.length + 0.5));
    const averageLength = this.totalLength / size;
    const factor = weight * rarity * (SATURATION + 1);
    // Loops over indexes for speed, because a word such as "get" occurs in most documents.
    for (let index = 0; index < documents.length; index += 1) {
      const document = documents[index] ?? 0;
      const frequency = frequencies[index] ?? 0;
      const length = 1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * (documentLengths[document] ?? 0)) / averageLength;
      scores[document] = (scores[document] ?? 0) + (factor * frequency) / (frequency + SATURATION * length);
    }
  }
}
