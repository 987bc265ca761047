import { charactersOf } from './event-inbox.js';

/** Maximum number of stored past events, separately for calls and for all other events. */
export const MAX_STORED_EVENTS = 1000;
/** Maximum number of characters in the strings of those events. */
export const MAX_STORED_CHARACTERS = 1024 * 1024;

/** The latest events of one kind, limited in number and in characters. */
export class EventRing<Event extends object> {
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
