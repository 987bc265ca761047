/** A placeholder for events that a reader did not get, because it was too slow or they were evicted or rate-limited. */
export interface MissedEvents {
  readonly type: 'events:missed';
  readonly count: number;
}

/** The maximum number of events that wait for one reader. Beyond it, the oldest are dropped. */
export const MAX_BUFFERED_EVENTS = 1000;
/** Maximum total number of characters in these events' strings, some of which are long, such as audited commands. */
export const MAX_BUFFERED_CHARACTERS = 4 * 1024 * 1024;

interface BufferedEvent<Event> {
  readonly event: Event;
  readonly characters: number;
}

/** A queue of events for one reader. When it is full, the oldest are discarded, and the reader gets their count. */
export class EventInbox<Event extends object> {
  private readonly events: BufferedEvent<Event>[] = [];
  /** Past events, which the reader receives first. New events never evict them. */
  private pastEvents: (Event | MissedEvents)[] = [];
  private characterCount = 0;
  private missedCount = 0;

  push(event: Event): void {
    const characters = charactersOf(event);
    this.events.push({ event, characters });
    this.characterCount += characters;
    while (this.events.length > MAX_BUFFERED_EVENTS || this.characterCount > MAX_BUFFERED_CHARACTERS) {
      this.dropOldest();
    }
  }

  /** Counts events that were lost before they could be pushed. */
  addMissed(count: number): void {
    this.missedCount += count;
  }

  /** Puts past events first in the queue, preceded by the number of lost events, if any. */
  insertPastEvents(lost: number, events: readonly Event[]): void {
    this.pastEvents = [...(lost > 0 ? [{ type: 'events:missed', count: lost } as const] : []), ...events];
  }

  /** Returns the next event, or the number of dropped events. Undefined if the inbox is empty. */
  takeNext(): Event | MissedEvents | undefined {
    const pastEvent = this.pastEvents.shift();
    if (pastEvent !== undefined) return pastEvent;
    const { missedCount } = this;
    this.missedCount = 0;
    if (missedCount > 0) return { type: 'events:missed', count: missedCount };
    const nextEvent = this.events.shift();
    this.characterCount -= nextEvent?.characters ?? 0;
    return nextEvent?.event;
  }

  clear(): void {
    this.pastEvents = [];
    this.events.length = 0;
    this.characterCount = 0;
    this.missedCount = 0;
  }

  private dropOldest(): void {
    this.characterCount -= this.events.shift()?.characters ?? 0;
    this.missedCount += 1;
  }
}

/** Returns the number of characters in an event's strings. */
export function charactersOf(event: object): number {
  let sum = 0;
  for (const value of Object.values(event) as readonly unknown[]) {
    if (typeof value === 'string') sum += value.length;
    else if (typeof value === 'object' && value !== null) sum += charactersOf(value);
  }
  return sum;
}
