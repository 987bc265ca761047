import type { ServerResponse } from 'node:http';

import type { MissedEvents, Mux, MuxEventName, NumberedEvent } from '@mcpmux/core';

import type { CallFeed } from './call-feed.js';

/** How often a page gets what has happened, in milliseconds. */
const FLUSH_MS = 250;
/** A line is sent after so many intervals in which nothing has happened: a proxy would close the stream. */
const SILENT_FLUSHES = 60;
/** Events that wait for one page; the oldest give way. */
const MAX_WAITING = 500;

const TYPES: readonly MuxEventName[] = [
  'server:added',
  'server:state',
  'server:removed',
  'server:stderr',
  'audit',
  'catalog:changed',
];

/** What one page follows. */
export interface Feed {
  readonly mux: Pick<Mux, 'events'>;
  readonly calls: CallFeed;
  /** Number of the last event that the page has read. */
  readonly after: number | undefined;
  readonly response: ServerResponse;
}

/** Sends events and calls as lines of JSON, together four times a second, until the page or the mux is gone. */
export async function feedPage({ mux, calls, after, response }: Feed): Promise<void> {
  const events = mux.events({ types: TYPES, after });
  const leave = calls.open();
  const batch = new Batch(calls, response);
  const timer = setInterval(() => batch.flush(), FLUSH_MS);
  const end = (): void => {
    clearInterval(timer);
    leave();
    void events.return?.();
  };
  response.on('close', end);
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  batch.flush();
  try {
    for await (const event of events) batch.add(event);
  } finally {
    end();
    if (!response.destroyed) response.end();
  }
}

/** What has happened since the last line. */
class Batch {
  private events: (NumberedEvent | MissedEvents)[] = [];
  private missed = 0;
  private change = 0;
  private silent = SILENT_FLUSHES;

  constructor(
    private readonly calls: CallFeed,
    private readonly response: ServerResponse,
  ) {}

  add(event: NumberedEvent | MissedEvents): void {
    if (event.type === 'events:missed') {
      this.missed += event.count;
      return;
    }
    this.events.push(event);
    if (this.events.length <= MAX_WAITING) return;
    this.events.shift();
    this.missed += 1;
  }

  /** A page that does not read gets nothing more until it does. */
  flush(): void {
    if (this.response.writableNeedDrain) return;
    const { change, calls } = this.calls.since(this.change);
    const { events, missed } = this;
    this.silent += 1;
    const isSilent = events.length === 0 && calls.length === 0 && missed === 0;
    if (isSilent && this.silent < SILENT_FLUSHES) return;
    this.silent = 0;
    this.change = change;
    this.events = [];
    this.missed = 0;
    this.response.write(`${JSON.stringify({ events, calls, missed })}\n`);
  }
}
