interface ChannelEnd {
  readonly reason: string;
  readonly error?: Error;
}

interface Watcher {
  readonly condition: () => boolean;
  readonly resolve: () => void;
}

/** Records the events of a channel, in order. */
export class ChannelRecorder {
  /** The received lines, decoded as text. */
  readonly lines: string[] = [];
  /** All events: `line …`, `oversized …`, `drained`, and the reason why the channel ended. */
  readonly events: string[] = [];
  readonly channelEnds: ChannelEnd[] = [];
  private watchers: Watcher[] = [];

  line(line: Buffer): void {
    this.lines.push(line.toString('utf8'));
    this.recordEvent(`line ${line.toString('utf8')}`);
  }

  oversized({ length }: { readonly length: number }): void {
    this.recordEvent(`oversized ${length}`);
  }

  drained(): void {
    this.recordEvent('drained');
  }

  ended(end: ChannelEnd): void {
    this.channelEnds.push(end);
    this.recordEvent(end.reason);
  }

  /** Resolves when `condition` returns true. The condition is checked after each event. */
  waitUntil(condition: () => boolean): Promise<void> {
    if (condition()) return Promise.resolve();
    return new Promise((resolve) => this.watchers.push({ condition, resolve }));
  }

  /** Resolves when the channel has ended. */
  waitUntilEnded(): Promise<void> {
    return this.waitUntil(() => this.channelEnds.length > 0);
  }

  /** Resolves when this many lines have arrived. */
  waitForLines(count: number): Promise<void> {
    return this.waitUntil(() => this.lines.length >= count);
  }

  private recordEvent(event: string): void {
    this.events.push(event);
    const fulfilledWatchers = this.watchers.filter(({ condition }) => condition());
    this.watchers = this.watchers.filter((watcher) => !fulfilledWatchers.includes(watcher));
    for (const { resolve } of fulfilledWatchers) resolve();
  }
}
