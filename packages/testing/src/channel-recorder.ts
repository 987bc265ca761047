interface End {
  readonly reason: string;
  readonly error?: Error;
}

interface Watcher {
  readonly condition: () => boolean;
  readonly resolve: () => void;
}

/** Records the events of a channel, in order. */
export class ChannelRecorder {
  /** The received lines as text. */
  readonly lines: string[] = [];
  /** All events: `line …`, `oversized …`, `drained`, and the reason why the channel ended. */
  readonly events: string[] = [];
  readonly ends: End[] = [];
  private watchers: Watcher[] = [];

  line(line: Buffer): void {
    this.lines.push(line.toString('utf8'));
    this.record(`line ${line.toString('utf8')}`);
  }

  oversized({ length }: { readonly length: number }): void {
    this.record(`oversized ${length}`);
  }

  drained(): void {
    this.record('drained');
  }

  ended(end: End): void {
    this.ends.push(end);
    this.record(end.reason);
  }

  /** Resolves when `condition` is true. The condition is checked after each event. */
  until(condition: () => boolean): Promise<void> {
    if (condition()) return Promise.resolve();
    return new Promise((resolve) => this.watchers.push({ condition, resolve }));
  }

  /** Resolves when the channel has ended. */
  untilEnded(): Promise<void> {
    return this.until(() => this.ends.length > 0);
  }

  /** Resolves when this number of lines has arrived. */
  untilLines(count: number): Promise<void> {
    return this.until(() => this.lines.length >= count);
  }

  private record(event: string): void {
    this.events.push(event);
    const fulfilled = this.watchers.filter(({ condition }) => condition());
    this.watchers = this.watchers.filter((watcher) => !fulfilled.includes(watcher));
    for (const { resolve } of fulfilled) resolve();
  }
}
