/** Ids that stand beside an `"id"` key in a damaged line. mcpmux issues integers only. */
const ID_MEMBER = /"id"\s*:\s*(\d{1,16})(?=\s*[,}])/g;

/**
 * The id of the request that a damaged or oversized response answered, if exactly one pending id stands in what is
 * left of it. A caller that is told at once is better off than one that waits for a response nobody can read.
 */
export function recoverId(text: string, isPending: (id: number) => boolean): number | undefined {
  const found = new Set<number>();
  for (const [, digits] of text.matchAll(ID_MEMBER)) {
    const id = Number(digits);
    if (isPending(id)) found.add(id);
  }
  const [only] = found;
  return found.size === 1 ? only : undefined;
}
