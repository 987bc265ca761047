import type { Logger, LogFields, LogLevel } from '@mcpmux/core';

import { terminals } from '../base/terminal-output.js';
import type { LogSink } from './consola-sink.js';
import { LOG_LEVELS, type LogFormat, type LogRecord, type LogThreshold } from './log-record.js';

/** How many bytes may be buffered before records are dropped. This limits memory if no process reads stderr. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

/** Writes records to stderr. Queues them until `start` loads consola, which must not delay the first response. */
export class StderrLogger implements Logger {
  private queue: LogRecord[] = [];
  private sink: LogSink | undefined;
  private droppedCount = 0;
  private readonly enabledLevels: ReadonlySet<LogThreshold>;

  constructor(
    threshold: LogThreshold,
    private readonly format: LogFormat,
  ) {
    this.enabledLevels = new Set(LOG_LEVELS.slice(0, LOG_LEVELS.indexOf(threshold) + 1));
  }

  enabled(level: LogLevel): boolean {
    return this.enabledLevels.has(level);
  }

  log(level: LogLevel, message: string, fields: LogFields = {}): void {
    if (!this.enabled(level)) return;
    const record = { time: Date.now(), level, message, fields };
    if (this.sink === undefined) this.queue.push(record);
    else this.writeOrDrop(this.sink, record);
  }

  /** Loads consola and writes the queued records. */
  async start(): Promise<void> {
    const { createConsolaSink } = await import('./consola-sink.js');
    this.sink = createConsolaSink(this.format);
    for (const record of this.queue) this.sink(record);
    this.queue = [];
  }

  private writeOrDrop(sink: LogSink, record: LogRecord): void {
    if (terminals.bufferedStderrBytes > MAX_BUFFERED_BYTES) {
      this.droppedCount += 1;
      return;
    }
    if (this.droppedCount > 0) {
      const message = `${this.droppedCount} log records were dropped, because stderr was not read`;
      this.droppedCount = 0;
      sink({ time: record.time, level: 'warn', message, fields: {} });
    }
    sink(record);
  }
}
