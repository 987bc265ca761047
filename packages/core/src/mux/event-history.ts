import { charactersOf } from './event-inbox.js';

/** The number of past events that are stored. */
export const MAX_STORED_EVENTS = 1000;
/** Most characters in the texts of those events. */
export const MAX_STORED_CHARACTERS = 1024 * 1024;

/** The members of an event that the history reads. */
interface Numbered {
  /** Counts the events of one mux from 1. */
  readonly sequence: number;
}

/** The latest events of a mux, for readers that come back. Bounded in number and in characters. */
export class EventHistory<Event extends Numbered> {
  private readonly events: Event[] = [];
  private characters = 0;
  /** Number of the last event that was stored and had to go. */
  discarded = 0;

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
    this.discarded = oldest.sequence;
  }

  /** The stored events above a number, oldest first. */
  after(sequence: number): readonly Event[] {
    return this.events.filter((event) => event.sequence > sequence);
  }
}
