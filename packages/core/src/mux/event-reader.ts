import { EventInbox, type MissedEvents } from './event-inbox.js';

type Result<Event> = IteratorResult<Event | MissedEvents, undefined>;

/** The settings of a reader. */
interface ReaderOptions {
  readonly types?: readonly string[] | undefined;
  readonly details?: boolean | undefined;
}

/** One iterator over events. It leaves at once when its loop does, also while it waits. */
export class EventReader<Event extends object> implements AsyncIterableIterator<Event | MissedEvents> {
  readonly inbox = new EventInbox<Event>();
  private readonly waiting: ((result: Result<Event>) => void)[] = [];
  private isEnded = false;
  private readonly types: ReadonlySet<string> | undefined;
  /** True if the reader gets the details of calls. */
  readonly details: boolean;

  /** @param leave is called when the loop was left */
  constructor(
    private readonly leave: () => void,
    { types, details = false }: ReaderOptions = {},
  ) {
    this.types = types && new Set(types);
    this.details = details;
  }

  /** True if it wants events of every name. */
  get isOfAll(): boolean {
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
    this.serve();
  }

  /** No event follows. Those that wait are still read. */
  end(): void {
    this.isEnded = true;
    this.serve();
  }

  next(): Promise<Result<Event>> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.serve();
    });
  }

  return(): Promise<Result<Event>> {
    this.leave();
    this.inbox.clear();
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  /** Hands out what waits: after events were skipped, their number. */
  serve(): void {
    while (this.waiting.length > 0) {
      const value = this.inbox.take();
      if (value === undefined && !this.isEnded) return;
      this.waiting.shift()?.(value === undefined ? { done: true, value } : { done: false, value });
    }
  }
}
