import type { ServerResponse } from 'node:http';

import type { Mux, MuxEventName, NumberedEvent } from '@mcpmux/core';

import type { CallFeed } from './call-feed.js';
import { formatPosition } from './feed-position.js';
import { startFlushing, BoundedQueue } from './flushing.js';

/** The maximum number of events that are queued for one page. */
const MAX_QUEUED_EVENTS = 500;

const EVENT_TYPES: readonly MuxEventName[] = [
  'server:added',
  'server:state',
  'server:removed',
  'server:stderr',
  'server:stdout',
  'audit',
  'catalog:changed',
];

/** Options for sending events and calls to one page. */
export interface FeedOptions {
  readonly mux: Pick<Mux, 'events' | 'lastEvent'>;
  readonly calls: CallFeed;
  /** The number of the last event that the page has read. */
  readonly afterEvent: number | undefined;
  /** The page's position in the call feed, as sent by the page. Empty for a new page. */
  readonly callPosition: string;
  readonly response: ServerResponse;
}

/**
 * Sends events and calls together as JSON lines, four times a second, until the page disconnects or the mux closes.
 * Each line contains the page's position, which the page sends back after an interruption.
 */
export async function feedPage({
  mux,
  calls,
  afterEvent,
  response,
  callPosition,
}: FeedOptions): Promise<void> {
  const events = mux.events({ types: EVENT_TYPES, after: afterEvent });
  const closePage = calls.openPage();
  const queue = new BoundedQueue<NumberedEvent>(MAX_QUEUED_EVENTS);
  let position = calls.positionOf(callPosition);
  // The first line comes before the stored events, so it keeps the page's event number. Later lines contain the latest.
  let firstEvent: number | undefined = afterEvent ?? mux.lastEvent;
  const stop = startFlushing(response, () => {
    const { items, missed } = queue.takeAll();
    const { calls: changed, unlisted, isLost, position: next } = calls.changesSince(position);
    position = next;
    const isSilent = items.length === 0 && changed.length === 0 && missed === 0 && unlisted === 0 && !isLost;
    const at = { event: firstEvent ?? mux.lastEvent, calls: formatPosition(position) };
    firstEvent = undefined;
    return {
      isSilent,
      value: { events: items, calls: changed, missed, unlisted, ...(isLost && { isLost }), at },
    };
  });
  const end = (): void => {
    stop();
    closePage();
    void events.return?.();
  };
  response.on('close', end);
  try {
    for await (const event of events)
      if (event.type === 'events:missed') queue.noteMissed(event.count);
      else queue.add(event);
  } finally {
    end();
    if (!response.destroyed) response.end();
  }
}
