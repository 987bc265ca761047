import type { OwnMembers } from '../message/own-members.js';
import type { PlacedMember } from './arbitrary-ids.js';

/** Like {@link OwnMembers}, with the text of the id. */
export interface MembersText {
  readonly id: string | undefined;
  readonly isIdUnclear: boolean;
  readonly hasMethod: boolean;
}

/** What was found, as text. */
export function textsOf({ id, isIdUnclear, hasMethod }: OwnMembers): MembersText {
  return { id: id?.text.toString('utf8', id.span.start, id.span.end), isIdUnclear, hasMethod };
}

/** What must be found of the members of a message in its text before `head` and from `tail` on. */
export function membersInParts(
  members: readonly PlacedMember[],
  { head, tail = Infinity }: { readonly head: number; readonly tail?: number },
): MembersText {
  const named = members.filter(({ key, colon }) => colon < head || key > tail);
  const ids = named.filter(({ name }) => name === 'id');
  // a number that ends where the text is cut may go on there
  const isCut = ids.some(({ key, value, end }) => end + (/^["[{]/.test(value) ? 0 : 1) > head && key <= tail);
  const values = new Set(ids.map(({ value }) => value));
  const isIdUnclear = isCut || values.size > 1;
  const hasMethod = named.some(({ name, key, value, end }) => {
    const isValueLost = key <= tail && end - value.length >= head;
    return name !== 'id' && (isValueLost || (name === 'method' ? /^"/ : /^[[{]/).test(value));
  });
  return { id: isIdUnclear ? undefined : [...values][0], isIdUnclear, hasMethod };
}
