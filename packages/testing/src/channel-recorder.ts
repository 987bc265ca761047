interface End {
  readonly reason: string;
  readonly error?: Error;
}

interface Watcher {
  readonly condition: () => boolean;
  readonly resolve: () => void;
}

/** Keeps what a channel tells its owner, in order. */
export class ChannelRecorder {
  /** The lines as strings. */
  readonly lines: string[] = [];
  /** All that happened: `line …`, `oversized …`, `drained`, and why the channel ended. */
  readonly events: string[] = [];
  readonly ends: End[] = [];
  private watchers: Watcher[] = [];

  line(line: Buffer): void {
    this.lines.push(line.toString('utf8'));
    this.happened(`line ${line.toString('utf8')}`);
  }

  oversized({ length }: { readonly length: number }): void {
    this.happened(`oversized ${length}`);
  }

  drained(): void {
    this.happened('drained');
  }

  ended(end: End): void {
    this.ends.push(end);
    this.happened(end.reason);
  }

  /** Resolves as soon as `condition` holds; it is looked at after each event. */
  until(condition: () => boolean): Promise<void> {
    if (condition()) return Promise.resolve();
    return new Promise((resolve) => this.watchers.push({ condition, resolve }));
  }

  /** Resolves when the channel has ended. */
  untilEnded(): Promise<void> {
    return this.until(() => this.ends.length > 0);
  }

  /** Resolves when so many lines have come. */
  untilLines(count: number): Promise<void> {
    return this.until(() => this.lines.length >= count);
  }

  private happened(event: string): void {
    this.events.push(event);
    const met = this.watchers.filter(({ condition }) => condition());
    this.watchers = this.watchers.filter((watcher) => !met.includes(watcher));
    for (const { resolve } of met) resolve();
  }
}
