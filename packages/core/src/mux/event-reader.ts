import { EventInbox, type MissedEvents } from './event-inbox.js';

type ReadResult<Event> = IteratorResult<Event | MissedEvents, undefined>;

interface ReaderOptions {
  readonly types?: readonly string[] | undefined;
  readonly details?: boolean | 'sizes' | undefined;
}

/** An iterator over events. It ends immediately when its consumer leaves the loop, even while waiting for an event. */
export class EventReader<Event extends object> implements AsyncIterableIterator<Event | MissedEvents> {
  readonly inbox = new EventInbox<Event>();
  private readonly pendingReads: ((result: ReadResult<Event>) => void)[] = [];
  private isEnded = false;
  private readonly types: ReadonlySet<string> | undefined;
  readonly details: boolean | 'sizes';

  /** @param onLeave called when the consumer leaves the loop */
  constructor(
    private readonly onLeave: () => void,
    { types, details = false }: ReaderOptions = {},
  ) {
    this.types = types && new Set(types);
    this.details = details;
  }

  get readsAllTypes(): boolean {
    return this.types === undefined;
  }

  wants(type: string): boolean {
    return this.types?.has(type) ?? true;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  push(event: Event): void {
    this.inbox.push(event);
    this.deliver();
  }

  /** Ends the reader. Events in the inbox can still be read. */
  end(): void {
    this.isEnded = true;
    this.deliver();
  }

  next(): Promise<ReadResult<Event>> {
    return new Promise((resolve) => {
      this.pendingReads.push(resolve);
      this.deliver();
    });
  }

  return(): Promise<ReadResult<Event>> {
    this.onLeave();
    this.inbox.clear();
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  /**
   * Resolves pending calls to `next` with what is in the inbox. After {@link end}, an empty inbox ends the iteration.
   */
  deliver(): void {
    while (this.pendingReads.length > 0) {
      const value = this.inbox.takeNext();
      if (value === undefined && !this.isEnded) return;
      this.pendingReads.shift()?.(value === undefined ? { done: true, value } : { done: false, value });
    }
  }
}
