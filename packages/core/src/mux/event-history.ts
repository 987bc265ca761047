import { EventRing } from './event-ring.js';
import { LostEvents } from './lost-events.js';

/** The members of an event that the history reads. */
interface Numbered {
  readonly type: string;
  /** Counts the events of one mux from 1. */
  readonly sequence: number;
}

type Wants = (type: string) => boolean;

/**
 * The latest events of a mux, for readers that come back. Events of calls are stored separately, so that thousands of
 * calls a second do not evict the events of servers.
 */
export class EventHistory<Event extends Numbered> {
  private readonly lost = new Map<string, LostEvents>();
  private readonly calls = new EventRing<Event>((event) => this.skip(event));
  private readonly others = new EventRing<Event>((event) => this.skip(event));

  /** @param isOfCalls returns true for the names of events that every call emits */
  constructor(private readonly isOfCalls: Wants) {}

  add(event: Event): void {
    (this.isOfCalls(event.type) ? this.calls : this.others).add(event);
  }

  /** Counts an event that is not stored. */
  skip({ type, sequence }: Numbered): void {
    let lost = this.lost.get(type);
    if (lost === undefined) this.lost.set(type, (lost = new LostEvents()));
    lost.add(sequence);
  }

  /** Returns the stored events after a sequence number whose names are wanted, oldest first. */
  after(sequence: number, wants: Wants): readonly Event[] {
    return [...this.calls.events, ...this.others.events]
      .filter((event) => event.sequence > sequence && wants(event.type))
      .toSorted((one, other) => one.sequence - other.sequence);
  }

  /** Returns the number of wanted events after a sequence number that are not stored. */
  lostAfter(sequence: number, wants: Wants): number {
    const found = [...this.lost].filter(([type]) => wants(type));
    return found.reduce((sum, [, lost]) => sum + lost.above(sequence), 0);
  }
}
