import { idsFromEnd } from './ids-from-end.js';
import { readId, type IdText } from './request-id.js';
import { shallowIds } from './shallow-id.js';

/**
 * The id of a request that was too long to be read, of which both ends are left, when it stands whole in one of them. None
 * but the message's own is taken: not that of an object inside, nor a part of one. If it has several nobody is answered in
 * the name of any, nor if it has one that no request may have.
 */
export function recoverRequestId(head: Buffer, tail: Buffer): IdText | undefined {
  const found = [
    ...shallowIds(head).map((span) => readId(head, span)),
    ...idsFromEnd(tail).map((span) => readId(tail, span)),
  ];
  const ids = new Set(found.map((read) => ('id' in read ? read.id : undefined)));
  const [only] = ids;
  return ids.size === 1 ? only : undefined;
}
