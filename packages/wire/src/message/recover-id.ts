/** Ids that stand beside an `"id"` key in a damaged line. mcpmux issues integers only. */
const ID_MEMBER = /"id"\s*:\s*(\d{1,16})(?=\s*[,}])/g;

/**
 * The pending ids that stand in what is left of a damaged or oversized response. A caller that is told at once is better
 * off than one that waits for a response nobody can read; but with several, some may be no more than data. What a message
 * says itself of whose it is (own-members.ts) comes first.
 */
export function recoverIds(text: string, isPending: (id: number) => boolean): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [, digits] of text.matchAll(ID_MEMBER)) {
    const id = Number(digits);
    if (isPending(id)) found.add(id);
  }
  return found;
}
