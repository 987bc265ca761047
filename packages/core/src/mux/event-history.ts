import { charactersOf } from './event-inbox.js';

/** Maximum number of lost events of one name whose sequence numbers are remembered. */
export const MAX_REMEMBERED = 1000;

/** The events of one name that are not stored: the sequence numbers of the latest, and the total number. */
class LostEvents {
  private readonly latest: number[] = [];
  private count = 0;

  add(sequence: number): void {
    this.latest[this.count % MAX_REMEMBERED] = sequence;
    this.count += 1;
  }

  /**
   * Returns the number of lost events after a sequence number. Counts an event whose number is not remembered if it may
   * be later.
   */
  countAfter(sequence: number): number {
    const { latest, count } = this;
    const forgottenCount = count - latest.length;
    const oldest = forgottenCount === 0 ? 0 : (latest[count % MAX_REMEMBERED] ?? 0);
    const remembered = latest.filter((lost) => lost > sequence).length;
    return remembered + Math.min(forgottenCount, Math.max(0, oldest - sequence - 1));
  }
}

/** Maximum number of stored past events, separately for calls and for all other events. */
export const MAX_STORED_EVENTS = 1000;
/** Maximum number of characters in the strings of these events. */
const MAX_STORED_CHARACTERS = 1024 * 1024;

/** The latest events of one kind, limited in number and in characters. */
class EventRing<Event extends object> {
  readonly events: Event[] = [];
  private characters = 0;

  /** @param dropped receives each evicted event */
  constructor(private readonly dropped: (event: Event) => void) {}

  add(event: Event): void {
    this.events.push(event);
    this.characters += charactersOf(event);
    while (this.events.length > MAX_STORED_EVENTS || this.characters > MAX_STORED_CHARACTERS)
      this.dropOldest();
  }

  private dropOldest(): void {
    const oldest = this.events.shift();
    if (oldest === undefined) return;
    this.characters -= charactersOf(oldest);
    this.dropped(oldest);
  }
}

/** The members of an event that the history reads. */
interface HistoryEvent {
  readonly type: string;
  /** The number of the event among all events of its mux, from 1. */
  readonly sequence: number;
}

type TypeFilter = (type: string) => boolean;

/**
 * The latest events of a mux, for readers that reconnect. Events of calls are stored separately, so that thousands of
 * calls a second do not evict the events of servers.
 */
export class EventHistory<Event extends HistoryEvent> {
  private readonly lost = new Map<string, LostEvents>();
  private readonly callEvents = new EventRing<Event>((event) => this.skip(event));
  private readonly otherEvents = new EventRing<Event>((event) => this.skip(event));

  /** @param isOfCalls returns true for names of events that every call emits */
  constructor(private readonly isOfCalls: TypeFilter) {}

  add(event: Event): void {
    (this.isOfCalls(event.type) ? this.callEvents : this.otherEvents).add(event);
  }

  /** Counts an event that is not stored. */
  skip({ type, sequence }: HistoryEvent): void {
    let lost = this.lost.get(type);
    if (lost === undefined) this.lost.set(type, (lost = new LostEvents()));
    lost.add(sequence);
  }

  /** Returns the stored events after a sequence number whose names `wants` accepts, oldest first. */
  after(sequence: number, wants: TypeFilter): readonly Event[] {
    return [...this.callEvents.events, ...this.otherEvents.events]
      .filter((event) => event.sequence > sequence && wants(event.type))
      .toSorted((one, other) => one.sequence - other.sequence);
  }

  /** Returns the number of lost events after a sequence number whose names `wants` accepts. */
  lostAfter(sequence: number, wants: TypeFilter): number {
    const matching = [...this.lost].filter(([type]) => wants(type));
    return matching.reduce((sum, [, lost]) => sum + lost.countAfter(sequence), 0);
  }
}
