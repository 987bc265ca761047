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

/** The same as the last member of a message, and behind nothing but `jsonrpc` as its first. Of JSON, it is no other's. */
const LAST_MEMBER = /[,{]\s*"id"\s*:\s*(-?\d{1,16}|"(?:[^"\\]|\\.){0,256}")\s*\}\s*$/;
const FIRST_MEMBER =
  /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(-?\d{1,16}|"(?:[^"\\]|\\.){0,256}")\s*,/;

/**
 * The id of a request that was too long to be read: the first member of what is left of it or the last one, or else the only
 * value beside an `"id"` key. With more than one it might be that of another request: then nobody is answered in its
 * name.
 */
export function recoverRequestId(text: string): IdText | undefined {
  const ends = new Set([FIRST_MEMBER, LAST_MEMBER].flatMap((member) => member.exec(text)?.slice(1) ?? []));
  if (ends.size > 0) return onlyOf(ends);
  return onlyOf(new Set([...text.matchAll(ANY_ID_MEMBER)].map(([, id]) => id)));
}

function onlyOf(found: ReadonlySet<string | undefined>): IdText | undefined {
  const [only] = found;
  return found.size === 1 ? (only as IdText) : undefined;
}
