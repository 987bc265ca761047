import { charactersOf } from './event-inbox.js';

/** The maximum number of lost events, per event name, whose sequence numbers are remembered. */
export const MAX_REMEMBERED_NUMBERS = 1000;

/** The lost events of one name: how many there are, and the sequence numbers of the latest. */
class LostEvents {
  private readonly latestNumbers: number[] = [];
  private count = 0;

  add(sequence: number): void {
    this.latestNumbers[this.count % MAX_REMEMBERED_NUMBERS] = sequence;
    this.count += 1;
  }

  /**
   * Returns the number of lost events after a sequence number, or an upper bound if some numbers have been forgotten.
   */
  countAfter(sequence: number): number {
    const { latestNumbers, count } = this;
    const forgottenCount = count - latestNumbers.length;
    const oldestNumber = forgottenCount === 0 ? 0 : (latestNumbers[count % MAX_REMEMBERED_NUMBERS] ?? 0);
    const rememberedCount = latestNumbers.filter((lost) => lost > sequence).length;
    return rememberedCount + Math.min(forgottenCount, Math.max(0, oldestNumber - sequence - 1));
  }
}

/** The maximum number of stored call events, and of all other stored events. */
export const MAX_STORED_EVENTS = 1000;
/** Maximum total number of characters in the strings of stored call events, and of all other stored events. */
const MAX_STORED_CHARACTERS = 1024 * 1024;

/** The latest call events, or the latest other events. */
class EventBuffer<Event extends object> {
  readonly events: Event[] = [];
  private characterCount = 0;

  /** @param onDropped receives each evicted event */
  constructor(private readonly onDropped: (event: Event) => void) {}

  add(event: Event): void {
    this.events.push(event);
    this.characterCount += charactersOf(event);
    while (this.events.length > MAX_STORED_EVENTS || this.characterCount > MAX_STORED_CHARACTERS)
      this.dropOldest();
  }

  private dropOldest(): void {
    const oldest = this.events.shift();
    if (oldest === undefined) return;
    this.characterCount -= charactersOf(oldest);
    this.onDropped(oldest);
  }
}

interface HistoryEvent {
  readonly type: string;
  /** The event's number among all events of its mux, starting at 1. */
  readonly sequence: number;
}

type TypeFilter = (type: string) => boolean;

/**
 * A mux's latest events, for readers that reconnect. Call events are stored separately, so that thousands of calls a
 * second do not evict server events.
 */
export class EventHistory<Event extends HistoryEvent> {
  private readonly lostByType = new Map<string, LostEvents>();
  private readonly callEvents = new EventBuffer<Event>((event) => this.addLost(event));
  private readonly otherEvents = new EventBuffer<Event>((event) => this.addLost(event));

  /** @param isOfCalls returns true for the names of events that are emitted for every call */
  constructor(private readonly isOfCalls: TypeFilter) {}

  add(event: Event): void {
    (this.isOfCalls(event.type) ? this.callEvents : this.otherEvents).add(event);
  }

  /** Counts an event that was evicted or never stored. */
  addLost({ type, sequence }: HistoryEvent): void {
    let lost = this.lostByType.get(type);
    if (lost === undefined) this.lostByType.set(type, (lost = new LostEvents()));
    lost.add(sequence);
  }

  /** Returns the stored events after a sequence number whose names `wants` accepts, oldest first. */
  eventsAfter(sequence: number, wants: TypeFilter): readonly Event[] {
    return [...this.callEvents.events, ...this.otherEvents.events]
      .filter((event) => event.sequence > sequence && wants(event.type))
      .toSorted((one, other) => one.sequence - other.sequence);
  }

  /** Returns the number of lost events after a sequence number whose names `wants` accepts. */
  countLostAfter(sequence: number, wants: TypeFilter): number {
    const wantedLosses = [...this.lostByType].filter(([type]) => wants(type));
    return wantedLosses.reduce((sum, [, lost]) => sum + lost.countAfter(sequence), 0);
  }
}
