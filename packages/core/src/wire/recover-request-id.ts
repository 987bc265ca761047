import { readId, type IdText } from './request-id.js';
import { shallowId } from './shallow-id.js';

/** What looks like the id of a request of any peer, an integer or a string, as the last member of a message, */
const LAST_MEMBER = /[,{]\s*"id"\s*:\s*(-?\d{1,16}|"(?:[^"\\]|\\.){0,256}")\s*\}\s*$/;
/** and anywhere. */
const ANY_MEMBER = /"id"\s*:\s*(-?\d{1,16}|"(?:[^"\\]|\\.){0,256}")(?=\s*[,}])/g;

/**
 * The id of a request that was too long to be read, of which both ends are left: the member of the message in the one, or
 * the last member in the other, or else the only value beside an `"id"` key. With more than one it might be that of another
 * request: then nobody is answered in its name.
 */
export function recoverRequestId(head: Buffer, tail: Buffer): IdText | undefined {
  const ends = new Set<string>();
  const span = shallowId(head);
  if (span !== undefined) {
    const first = readId(head, span);
    if ('problem' in first) return undefined;
    ends.add(first.id);
  }
  const end = tail.toString('utf8');
  const last = LAST_MEMBER.exec(end)?.[1];
  if (last !== undefined) ends.add(last);
  if (ends.size > 0) return onlyOf(ends);
  const text = `${head.toString('utf8')} ${end}`;
  return onlyOf(new Set([...text.matchAll(ANY_MEMBER)].map(([, id]) => id)));
}

function onlyOf(found: ReadonlySet<string | undefined>): IdText | undefined {
  const [only] = found;
  return found.size === 1 ? (only as IdText) : undefined;
}
