import type { OversizedLine } from './line-framer.js';
import { membersFromBegin } from './members-from-begin.js';
import { membersFromEnd } from './members-from-end.js';
import { sameText } from './own-members.js';
import type { Span } from './span.js';

/** How a message begins: a batch, or a log text that quotes one, is none. */
const OBJECT_START = /^\s*\{/;

/** An id, and the end of the message in which it stands. */
export interface PlacedId {
  readonly part: Buffer;
  readonly span: Span;
}

/** What the ends of a message that was too long to be read tell of whose it is. */
export interface MembersOfEnds {
  /** The ids of the message itself that stand whole in them, each once. There may be none; of several none is the message's. */
  readonly ids: readonly PlacedId[];
  /** Whether it is a request or a notification. */
  readonly hasMethod: boolean;
}

/** The members of the message itself: neither those of an object inside, nor what has been cut. */
export function membersOfEnds({ head, tail }: Pick<OversizedLine, 'head' | 'tail'>): MembersOfEnds {
  if (!OBJECT_START.test(head.toString('latin1'))) return { ids: [], hasMethod: false };
  const begin = membersFromBegin(head);
  const end = membersFromEnd(tail);
  const ids = begin.ids.map((span) => ({ part: head, span }));
  for (const span of end.ids) {
    if (!ids.some((known) => sameText(known.part, known.span, tail, span))) ids.push({ part: tail, span });
  }
  return { ids, hasMethod: begin.hasMethod || end.hasMethod };
}
