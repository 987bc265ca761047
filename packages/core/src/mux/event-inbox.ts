/** Stands in an iterator in place of events that were discarded because their reader was too slow. */
export interface MissedEvents {
  readonly type: 'events:missed';
  readonly count: number;
}

/** Most events that wait for one reader; beyond it the oldest are discarded. */
export const MAX_BUFFERED_EVENTS = 1000;
/** Most characters in the texts of those events: the command of an audit record may be long. */
export const MAX_BUFFERED_CHARACTERS = 4 * 1024 * 1024;

interface Buffered<Event> {
  readonly event: Event;
  readonly characters: number;
}

/** The events that wait for one reader. The oldest give way, and the reader is told how many did. */
export class EventInbox<Event extends object> {
  private readonly events: Buffered<Event>[] = [];
  private characters = 0;
  private missed = 0;

  push(event: Event): void {
    const characters = charactersOf(event);
    this.events.push({ event, characters });
    this.characters += characters;
    while (this.events.length > MAX_BUFFERED_EVENTS || this.characters > MAX_BUFFERED_CHARACTERS) {
      this.dropOldest();
    }
  }

  /** Counts events that were lost before they could be pushed. */
  skip(count: number): void {
    this.missed += count;
  }

  /** The next event; in place of discarded events, their number. Undefined when none waits. */
  take(): Event | MissedEvents | undefined {
    const { missed } = this;
    this.missed = 0;
    if (missed > 0) return { type: 'events:missed', count: missed };
    const next = this.events.shift();
    this.characters -= next?.characters ?? 0;
    return next?.event;
  }

  clear(): void {
    this.events.length = 0;
    this.characters = 0;
    this.missed = 0;
  }

  private dropOldest(): void {
    this.characters -= this.events.shift()?.characters ?? 0;
    this.missed += 1;
  }
}

/** The characters in the texts of an event. */
export function charactersOf(event: object): number {
  let sum = 0;
  for (const value of Object.values(event) as readonly unknown[]) {
    if (typeof value === 'string') sum += value.length;
    else if (typeof value === 'object' && value !== null) sum += charactersOf(value);
  }
  return sum;
}
