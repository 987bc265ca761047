/** A document that was found. */
export interface Scored {
  readonly document: number;
  readonly score: number;
}

/**
 * Returns the documents with the highest scores, the best first. Among equal scores, the first document wins. Sorting
 * all documents would take longer.
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

/** Returns the position after all documents with at least that score. */
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
