import { randomBytes } from 'node:crypto';

import { lossNotices } from './loss-notice.js';

/** Limits on one session's stored events. Sizes are in bytes, times in milliseconds. */
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
  readonly eventNumber: number;
  readonly streamId: string;
  readonly line: Buffer;
  readonly storedAt: number;
}

/** The maximum number of streams for which dropped events are recorded. Beyond it, the oldest record is dropped. */
const MAX_STREAMS_WITH_LOSSES = 1000;

/**
 * One session's most recent events, for a client that reconnects and requests missed events. Their number, total size
 * and age are limited. The oldest events are dropped first. A client that requests dropped events receives a notice.
 */
export class EventStore {
  private readonly sessionTag = randomBytes(6).toString('hex');
  private readonly events: StoredEvent[] = [];
  /** The number of the event dropped last, by stream. */
  private readonly lastLossByStream = new Map<string, number>();
  private storedBytes = 0;
  private lastEventNumber = 0;

  constructor(
    private readonly limits: EventStoreLimits,
    private readonly now: () => number,
  ) {}

  /** Returns the stream to which an event belongs, or undefined if this session has never sent the event. */
  streamIdOf(eventId: string): string | undefined {
    return this.positionOf(eventId)?.streamId;
  }

  /** Creates an id for the current position in a stream. */
  issueId(streamId: string): string {
    this.lastEventNumber += 1;
    return this.formatId(streamId, this.lastEventNumber);
  }

  /** Stores a line that is sent on a stream. Returns its event id. */
  add(streamId: string, line: Buffer): string {
    const id = this.issueId(streamId);
    this.events.push({ eventNumber: this.lastEventNumber, streamId, line, storedAt: this.now() });
    this.storedBytes += line.length;
    this.dropOldEvents();
    return id;
  }

  /**
   * Returns the events that followed this event on its stream. If some of them have been dropped, a notice comes first.
   */
  eventsAfter(lastEventId: string): readonly SentEvent[] {
    const position = this.positionOf(lastEventId);
    if (position === undefined) throw new Error('The event belongs to no stream of this session.');
    const { streamId } = position;
    this.dropOldEvents();
    const lastLostNumber = this.lastLossByStream.get(streamId) ?? 0;
    const notices = lastLostNumber > position.number ? lossNotices(streamId) : [];
    const missedEvents = this.events.filter(
      (event) => event.streamId === streamId && event.eventNumber > position.number,
    );
    return [
      ...notices.map((line) => ({ id: this.formatId(streamId, lastLostNumber), line })),
      ...missedEvents.map(({ eventNumber, line }) => ({ id: this.formatId(streamId, eventNumber), line })),
    ];
  }

  private dropOldEvents(): void {
    const { maxEvents, maxEventBytes, maxEventAgeMs } = this.limits;
    const minStoredAt = this.now() - maxEventAgeMs;
    for (;;) {
      const [oldest] = this.events;
      if (oldest === undefined) return;
      const isWithinLimits =
        this.events.length <= maxEvents &&
        this.storedBytes <= maxEventBytes &&
        oldest.storedAt >= minStoredAt;
      if (isWithinLimits) return;
      this.events.shift();
      this.storedBytes -= oldest.line.length;
      this.recordLoss(oldest);
    }
  }

  private recordLoss({ streamId, eventNumber }: StoredEvent): void {
    this.lastLossByStream.delete(streamId);
    this.lastLossByStream.set(streamId, eventNumber);
    const [oldest] = this.lastLossByStream.keys();
    if (this.lastLossByStream.size > MAX_STREAMS_WITH_LOSSES && oldest !== undefined)
      this.lastLossByStream.delete(oldest);
  }

  private formatId(streamId: string, number: number): string {
    return `${this.sessionTag}.${streamId}.${number}`;
  }

  private positionOf(eventId: string) {
    const [session, streamId, text = '', ...rest] = eventId.split('.');
    const number = Number(text);
    const isFromThisSession = session === this.sessionTag && rest.length === 0 && /^\d{1,15}$/.test(text);
    return isFromThisSession && streamId !== undefined && number <= this.lastEventNumber
      ? { streamId, number }
      : undefined;
  }
}
