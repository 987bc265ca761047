import type { Json } from './connection.js';

/** A message between a client and mcpmux. */
interface SessionMessage {
  readonly time: number;
  readonly from: 'client' | 'mcpmux';
  readonly kind: string;
  readonly id?: string;
  readonly method?: string;
  readonly bytes: number;
  readonly text?: string;
}

/** A message in its timeline. A response has the method of its request, and the time since the request. */
export interface Timed extends SessionMessage {
  readonly place: number;
  readonly ms?: number;
}

/** The latest messages of a session. */
export interface Timeline {
  readonly messages: readonly Timed[];
  readonly missed: number;
  readonly count: number;
  /** True if the stream of messages is open. */
  readonly isOpen: boolean;
}

/** A timeline without messages. */
export const EMPTY_TIMELINE: Timeline = { messages: [], missed: 0, count: 0, isOpen: false };

const MAX_MESSAGES = 200;

/** Returns the timeline after a line from the stream. */
export function withMessages(before: Timeline, { messages, missed }: Json): Timeline {
  let all = before.messages;
  let { count } = before;
  for (const message of messages as readonly SessionMessage[]) {
    count += 1;
    all = [...all.slice(1 - MAX_MESSAGES), { ...message, ...requestOf(message, all), place: count }];
  }
  return { messages: all, missed: before.missed + Number(missed), count, isOpen: true };
}

/** Matches a response with the other side's request that has the same id. */
function requestOf({ from, kind, id, time }: SessionMessage, before: readonly Timed[]) {
  if (kind !== 'result' && kind !== 'error') return {};
  const request = before.findLast((one) => one.id === id && one.from !== from && one.kind === 'request');
  return request === undefined ? {} : { method: request.method ?? '', ms: time - request.time };
}
