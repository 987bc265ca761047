import { EventInbox, type MissedEvents } from './event-inbox.js';

type Result<Event> = IteratorResult<Event | MissedEvents, undefined>;

/** One iterator over events. It leaves at once when its loop does, also while it waits. */
export class EventReader<Event extends object> implements AsyncIterableIterator<Event | MissedEvents> {
  readonly inbox = new EventInbox<Event>();
  private readonly waiting: ((result: Result<Event>) => void)[] = [];
  private isEnded = false;

  /**
   * @param leave is called when the loop was left
   * @param withBodies it wants arguments and results of calls
   */
  constructor(
    private readonly leave: () => void,
    readonly withBodies = false,
  ) {}

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

  private serve(): void {
    while (this.waiting.length > 0) {
      const value = this.inbox.take();
      if (value === undefined && !this.isEnded) return;
      this.waiting.shift()?.(value === undefined ? { done: true, value } : { done: false, value });
    }
  }
}
