import { setImmediate } from 'node:timers/promises';

import type { EventsOptions, Mux } from '@mcpmux/core';
import { notificationLine } from '@mcpmux/wire';

import type { HostChannel } from './host-channel.js';

/**
 * Sends each event of a mux as a notification, until the mux or the reader ends. If the reader does not read, at most
 * one queue of lines waits. Further events wait in the iterator, which is bounded and reports missed events.
 */
export async function streamEvents(
  channel: HostChannel,
  mux: Pick<Mux, 'events'>,
  options?: EventsOptions,
): Promise<void> {
  const events = mux.events(options);
  channel.left.addEventListener('abort', () => void events.return?.());
  for await (const event of events) {
    if (channel.left.aborted) return;
    const time = 'time' in event ? new Date(event.time) : new Date();
    channel.send(notificationLine('mcpmux/event', { ...event, time: time.toISOString() }));
    await channel.writable();
    // Stored events follow each other without a pause, and an end of the connection is reported between two turns.
    await setImmediate();
  }
}
