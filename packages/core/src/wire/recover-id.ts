import type { IdText } from './request-id.js';

/** Ids that stand beside an `"id"` key in a damaged line. mcpmux issues integers only. */
const ID_MEMBER = /"id"\s*:\s*(\d{1,16})(?=\s*[,}])/g;

/**
 * The pending ids that stand in what is left of a damaged or oversized response. A caller that is told at once is better
 * off than one that waits for a response nobody can read; but with several, some may be no more than data.
 */
export function recoverIds(text: string, isPending: (id: number) => boolean): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [, digits] of text.matchAll(ID_MEMBER)) {
    const id = Number(digits);
    if (isPending(id)) found.add(id);
  }
  return found;
}

/** What looks like the id of a request of any peer: an integer or a string. */
const ANY_ID_MEMBER = /"id"\s*:\s*(-?\d{1,16}|"(?:[^"\\]|\\.){0,256}")(?=\s*[,}])/g;

/**
 * The id of a request that was too long to be read, if exactly one value stands beside an `"id"` key in what is left of
 * it. With more than one it might be that of another request: then nobody is answered in its name.
 */
export function recoverRequestId(text: string): IdText | undefined {
  const found = new Set([...text.matchAll(ANY_ID_MEMBER)].map((match) => match[1]));
  const [only] = found;
  return found.size === 1 ? (only as IdText) : undefined;
}
