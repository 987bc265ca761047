import { randomBytes } from 'node:crypto';

import { lossNotice } from './loss-notice.js';

/** The limits on the stored events of one session. Sizes are in bytes, times in milliseconds. */
export interface EventStoreLimits {
  readonly maxEvents: number;
  readonly maxEventBytes: number;
  readonly maxEventAgeMs: number;
}

/** A line for a client, with its event id. */
export interface SentEvent {
  readonly id: string;
  readonly line: Buffer;
}

interface StoredEvent {
  readonly number: number;
  readonly streamId: string;
  readonly line: Buffer;
  readonly storedAt: number;
}

/** The maximum number of streams whose dropped events are recorded. The oldest stream is evicted first. */
const MAX_LOSSES = 1000;

/**
 * The last events of one session, for a client that reconnects and requests missed events. The number, bytes and age of
 * the events are limited. The oldest events are dropped first. A client that requests dropped events receives a notice.
 */
export class EventStore {
  private readonly session = randomBytes(6).toString('hex');
  private readonly events: StoredEvent[] = [];
  /** The number of the last dropped event, by stream. */
  private readonly losses = new Map<string, number>();
  private bytes = 0;
  private issued = 0;

  constructor(
    private readonly limits: EventStoreLimits,
    private readonly now: () => number,
  ) {}

  /** Returns the stream of an event, or undefined if this session never sent the event. */
  streamOf(eventId: string): string | undefined {
    return this.placeOf(eventId)?.streamId;
  }

  /** Creates an id for the current position in a stream. */
  issueId(streamId: string): string {
    this.issued += 1;
    return this.idOf(streamId, this.issued);
  }

  /** Stores a line that is sent on a stream. Returns the id of the event. */
  add(streamId: string, line: Buffer): string {
    const id = this.issueId(streamId);
    this.events.push({ number: this.issued, streamId, line, storedAt: this.now() });
    this.bytes += line.length;
    this.forgetOldest();
    return id;
  }

  /** Returns the events that followed this event on its stream, preceded by a notice if some of them were dropped. */
  missedSince(lastEventId: string): readonly SentEvent[] {
    const place = this.placeOf(lastEventId);
    if (place === undefined) throw new Error('The event belongs to no stream of this session.');
    const { streamId } = place;
    this.forgetOldest();
    const lost = this.losses.get(streamId) ?? 0;
    const notices = lost > place.number ? lossNotice(streamId) : [];
    const missed = this.events.filter((event) => event.streamId === streamId && event.number > place.number);
    return [
      ...notices.map((line) => ({ id: this.idOf(streamId, lost), line })),
      ...missed.map(({ number, line }) => ({ id: this.idOf(streamId, number), line })),
    ];
  }

  private forgetOldest(): void {
    const { maxEvents, maxEventBytes, maxEventAgeMs } = this.limits;
    const oldestKept = this.now() - maxEventAgeMs;
    for (;;) {
      const [oldest] = this.events;
      if (oldest === undefined) return;
      const isKept =
        this.events.length <= maxEvents && this.bytes <= maxEventBytes && oldest.storedAt >= oldestKept;
      if (isKept) return;
      this.events.shift();
      this.bytes -= oldest.line.length;
      this.noteLoss(oldest);
    }
  }

  private noteLoss({ streamId, number }: StoredEvent): void {
    this.losses.delete(streamId);
    this.losses.set(streamId, number);
    const [oldest] = this.losses.keys();
    if (this.losses.size > MAX_LOSSES && oldest !== undefined) this.losses.delete(oldest);
  }

  private idOf(streamId: string, number: number): string {
    return `${this.session}.${streamId}.${number}`;
  }

  private placeOf(eventId: string) {
    const [session, streamId, text = '', ...rest] = eventId.split('.');
    const number = Number(text);
    const isOurs = session === this.session && rest.length === 0 && /^\d{1,15}$/.test(text);
    return isOurs && streamId !== undefined && number <= this.issued ? { streamId, number } : undefined;
  }
}
