import { sameBytes } from '../json/key-paths.js';
import { readId, type RawId } from './request-id.js';
import type { Span } from '../json/span.js';

/** An id, and the text in which it stands. */
export interface PlacedId {
  readonly text: Buffer;
  readonly span: Span;
}

/** What a message, or a part of it, tells of whose it is: by members of the message itself, and none of objects inside. */
export interface OwnMembers {
  /** The only one it has there. */
  readonly id: PlacedId | undefined;
  /** It has an id, but not which can be told: there are two that differ, or it is cut or no JSON. There is no `id` then. */
  readonly isIdUnclear: boolean;
  /**
   * It is a request or a notification, by its method or by its params, which no response has: whatever ids are in it, it
   * answers nothing. Of a part, false proves nothing.
   */
  readonly hasMethod: boolean;
}

/** Of what is no object. */
export const NO_MEMBERS: OwnMembers = { id: undefined, isIdUnclear: false, hasMethod: false };

/** What two parts of one message tell of it. */
export function joinedMembers(one: OwnMembers, other: OwnMembers): OwnMembers {
  const isIdUnclear = one.isIdUnclear || other.isIdUnclear || areOthers(one.id, other.id);
  return {
    id: isIdUnclear ? undefined : (one.id ?? other.id),
    isIdUnclear,
    hasMethod: one.hasMethod || other.hasMethod,
  };
}

/** The id, if it is one that a request may have. */
export function idOf({ id }: OwnMembers): RawId | undefined {
  const read = id === undefined ? undefined : readId(id.text, id.span);
  return read !== undefined && 'id' in read ? read.id : undefined;
}

/** Whether the same text stands at both places. */
export function isSameId({ text, span }: PlacedId, other: PlacedId): boolean {
  return sameBytes(text.subarray(span.start, span.end), other.text, other.span.start, other.span.end);
}

function areOthers(one: PlacedId | undefined, other: PlacedId | undefined): boolean {
  return one !== undefined && other !== undefined && !isSameId(one, other);
}
