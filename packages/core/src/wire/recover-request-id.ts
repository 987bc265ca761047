import type { OversizedLine } from './line-framer.js';
import { membersOfEnds } from './members-of-ends.js';
import { onlyOf } from './own-members.js';
import { readId, type IdText } from './request-id.js';

/**
 * The id of a request that was too long to be read, of which both ends are left. If several stand there nobody is answered in
 * the name of any, nor if it is one that no request may have.
 */
export function recoverRequestId(ends: Pick<OversizedLine, 'head' | 'tail'>): IdText | undefined {
  const id = onlyOf(membersOfEnds(ends).ids);
  if (id === undefined) return undefined;
  const read = readId(id.part, id.span);
  return 'id' in read ? read.id : undefined;
}
