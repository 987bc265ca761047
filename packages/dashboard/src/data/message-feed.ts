import type { ServerResponse } from 'node:http';

import type { MissedEvents, SessionMessage } from '@mcpmux/core';

import { startFlushing, BoundedQueue } from './flushing.js';

/** The maximum number of messages that are queued for one page. */
const MAX_QUEUED_MESSAGES = 200;

/** Sends a session's messages as JSON lines, four times a second, until the page disconnects or the session ends. */
export async function feedMessages(
  messages: AsyncIterableIterator<SessionMessage | MissedEvents>,
  response: ServerResponse,
): Promise<void> {
  const queue = new BoundedQueue<SessionMessage>(MAX_QUEUED_MESSAGES);
  const stop = startFlushing(response, () => {
    const { items, missed } = queue.takeAll();
    return { isSilent: items.length === 0 && missed === 0, value: { messages: items, missed } };
  });
  response.on('close', () => void messages.return?.());
  try {
    for await (const message of messages)
      if (message.type === 'events:missed') queue.noteMissed(message.count);
      else queue.add(message);
  } finally {
    stop();
    if (!response.destroyed) response.end();
  }
}
