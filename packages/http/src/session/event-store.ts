import { randomBytes } from 'node:crypto';

import type { EventStore } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

import { lossNotice } from './loss-notice.js';

/** The limits of the stored events of one session. Sizes are in bytes, times in milliseconds. */
export interface EventStoreLimits {
  readonly maxEvents: number;
  readonly maxEventBytes: number;
  readonly maxEventAgeMs: number;
}

interface StoredEvent {
  readonly number: number;
  readonly streamId: string;
  readonly message: JSONRPCMessage;
  readonly bytes: number;
  readonly storedAt: number;
}

interface EventPlace {
  readonly streamId: string;
  readonly number: number;
}

/** The number of streams whose losses are remembered. The oldest one is forgotten first. */
const MAX_LOSSES = 1000;

/**
 * The last events of one session, for a client that reconnects and asks for the events that it missed. Bounded in
 * number, bytes and age. The oldest event is dropped first, and a client that asks for it is told so.
 */
export class BoundedEventStore implements EventStore {
  private readonly session = randomBytes(6).toString('hex');
  private readonly events: StoredEvent[] = [];
  /** The last event that was dropped, by stream. */
  private readonly losses = new Map<string, number>();
  private bytes = 0;
  private issued = 0;

  constructor(
    private readonly limits: EventStoreLimits,
    private readonly now: () => number,
  ) {}

  /** The stream that an event of this session belongs to; undefined for an event that this session never sent. */
  streamOf(eventId: string): string | undefined {
    return this.placeOf(eventId)?.streamId;
  }

  storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    this.issued += 1;
    const number = this.issued;
    const bytes = JSON.stringify(message).length;
    this.events.push({ number, streamId, message, bytes, storedAt: this.now() });
    this.bytes += bytes;
    this.forgetOldest();
    return Promise.resolve(this.idOf(streamId, number));
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const place = this.placeOf(lastEventId);
    if (place === undefined) throw new Error('The event belongs to no stream of this session.');
    const { streamId } = place;
    this.forgetOldest();
    const lost = this.losses.get(streamId) ?? 0;
    if (lost > place.number) {
      for (const message of lossNotice(streamId)) await send(this.idOf(streamId, lost), message);
    }
    for (const event of this.events) {
      const isMissed = event.streamId === streamId && event.number > place.number;
      if (isMissed && !isPriming(event)) await send(this.idOf(streamId, event.number), event.message);
    }
    return streamId;
  }

  private forgetOldest(): void {
    const { maxEvents, maxEventBytes, maxEventAgeMs } = this.limits;
    const tooOld = this.now() - maxEventAgeMs;
    for (;;) {
      const [oldest] = this.events;
      if (oldest === undefined) return;
      const isKept =
        this.events.length <= maxEvents && this.bytes <= maxEventBytes && oldest.storedAt >= tooOld;
      if (isKept) return;
      this.events.shift();
      this.bytes -= oldest.bytes;
      this.noteLoss(oldest);
    }
  }

  private noteLoss(event: StoredEvent): void {
    if (isPriming(event)) return;
    this.losses.delete(event.streamId);
    this.losses.set(event.streamId, event.number);
    const [oldest] = this.losses.keys();
    if (this.losses.size > MAX_LOSSES && oldest !== undefined) this.losses.delete(oldest);
  }

  private idOf(streamId: string, number: number): string {
    return `${this.session}.${streamId}.${number}`;
  }

  private placeOf(eventId: string): EventPlace | undefined {
    const [session, streamId, text = '', ...rest] = eventId.split('.');
    const number = Number(text);
    const isOurs = session === this.session && rest.length === 0 && /^\d{1,15}$/.test(text);
    return isOurs && streamId !== undefined && number <= this.issued ? { streamId, number } : undefined;
  }
}

/** The SDK stores an empty message to get an id for the start of a stream. */
function isPriming({ message }: StoredEvent): boolean {
  return Object.keys(message).length === 0;
}
