import { setImmediate } from 'node:timers/promises';

import type { EventsOptions, Mux } from '@mcpmux/core';
import { notificationLine } from '@mcpmux/wire';

import type { AdminConnection } from './admin-connection.js';

/** The number of events to send before yielding to the event loop, so that a disconnect is detected promptly. */
const EVENTS_PER_BATCH = 64;

/**
 * Sends each of a mux's events as a notification until the mux closes or the client disconnects. While the client does
 * not read, lines wait in the channel's queue, and further events wait in the mux's iterator, which has a limit and
 * reports missed events.
 */
export async function streamEvents(
  connection: AdminConnection,
  mux: Pick<Mux, 'events'>,
  options?: EventsOptions,
): Promise<void> {
  const events = mux.events(options);
  connection.disconnectSignal.addEventListener('abort', () => void events.return?.());
  let sentCount = 0;
  for await (const event of events) {
    if (connection.disconnectSignal.aborted) return;
    const time = 'time' in event ? new Date(event.time) : new Date();
    connection.send(notificationLine('mcpmux/event', { ...event, time: time.toISOString() }));
    await connection.whenWritable();
    sentCount += 1;
    if (sentCount % EVENTS_PER_BATCH === 0) await setImmediate();
  }
  connection.close();
}
