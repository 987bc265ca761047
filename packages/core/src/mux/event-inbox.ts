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
  /** Past events, which come first. Their number is that of the stored ones, whatever comes meanwhile. */
  private past: (Event | MissedEvents)[] = [];
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

  /** Puts past events before all others, and before them the number of those that are lost. */
  resume(lost: number, events: readonly Event[]): void {
    this.past = [...(lost > 0 ? [{ type: 'events:missed', count: lost } as const] : []), ...events];
  }

  /** The next event; in place of discarded events, their number. Undefined when none waits. */
  take(): Event | MissedEvents | undefined {
    const past = this.past.shift();
    if (past !== undefined) return past;
    const { missed } = this;
    this.missed = 0;
    if (missed > 0) return { type: 'events:missed', count: missed };
    const next = this.events.shift();
    this.characters -= next?.characters ?? 0;
    return next?.event;
  }

  clear(): void {
    this.past = [];
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
