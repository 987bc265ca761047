import type { Socket } from 'node:net';

import type { EventsOptions, Mux } from '@mcpmux/core';

/**
 * Writes each event of a mux as a line, until the mux or the reader ends. If the reader does not read, at most one
 * socket buffer of lines waits. Further events wait in the iterator, which is bounded and reports missed events.
 */
export async function streamEvents(
  connection: Socket,
  mux: Pick<Mux, 'events'>,
  options?: EventsOptions,
): Promise<void> {
  const events = mux.events(options);
  connection.on('close', () => void events.return?.());
  if (!connection.write('{"type":"connected"}\n')) await writable(connection);
  for await (const event of events) {
    if (connection.destroyed) return;
    const time = 'time' in event ? new Date(event.time) : new Date();
    const line = JSON.stringify({ ...event, time: time.toISOString() });
    if (!connection.write(`${line}\n`)) await writable(connection);
  }
  connection.end();
}

/** Resolves when the reader has taken the waiting lines, or has disconnected. */
function writable(connection: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      connection.off('drain', done).off('close', done);
      resolve();
    };
    connection.on('drain', done).on('close', done);
    if (connection.destroyed) done();
  });
}
