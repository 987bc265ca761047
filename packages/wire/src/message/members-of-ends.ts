import type { OversizedLine } from '../frame/line-framer.js';
import { membersFromBegin } from './members-from-begin.js';
import { membersFromEnd } from './members-from-end.js';
import { joinedMembers, NO_MEMBERS, type OwnMembers } from './own-members.js';

/** What the ends of a message that was too long to be read tell of whose it is. Nothing is found of a batch, or of a log text that quotes a message. */
export function membersOfEnds({ head, tail }: Pick<OversizedLine, 'head' | 'tail'>): OwnMembers {
  const begin = membersFromBegin(head);
  return begin === undefined ? NO_MEMBERS : joinedMembers(begin, membersFromEnd(tail));
}
