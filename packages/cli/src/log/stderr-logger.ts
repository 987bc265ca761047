import type { Logger, LogFields, LogLevel } from '@mcpmux/core';

import { terminals } from '../base/terminal-output.js';
import type { LogSink } from './consola-sink.js';
import { LOG_LEVELS, type LogFormat, type LogRecord, type LogThreshold } from './log-record.js';

/**
 * The number of unread bytes above which records are dropped, so that a client that never reads does not fill the
 * memory.
 */
const MAX_UNREAD_BYTES = 1024 * 1024;

/**
 * A logger to stderr that uses consola. consola is loaded after the first response. Until then, records wait in this
 * class.
 */
export class StderrLogger implements Logger {
  private early: LogRecord[] = [];
  private sink: LogSink | undefined;
  private lost = 0;
  /** The levels that are logged. */
  private readonly levels: ReadonlySet<LogThreshold>;

  constructor(
    threshold: LogThreshold,
    private readonly format: LogFormat,
  ) {
    this.levels = new Set(LOG_LEVELS.slice(0, LOG_LEVELS.indexOf(threshold) + 1));
  }

  enabled(level: LogLevel): boolean {
    return this.levels.has(level);
  }

  log(level: LogLevel, message: string, fields: LogFields = {}): void {
    if (!this.enabled(level)) return;
    const record = { time: Date.now(), level, message, fields };
    if (this.sink === undefined) this.early.push(record);
    else this.write(this.sink, record);
  }

  /** Loads consola, and writes the waiting records. */
  async start(): Promise<void> {
    const { consolaSink } = await import('./consola-sink.js');
    this.sink = consolaSink(this.format);
    for (const record of this.early) this.sink(record);
    this.early = [];
  }

  private write(sink: LogSink, record: LogRecord): void {
    if (terminals.unreadErrBytes > MAX_UNREAD_BYTES) {
      this.lost += 1;
      return;
    }
    if (this.lost > 0) {
      const message = `${this.lost} log records were dropped, because stderr was not read`;
      this.lost = 0;
      sink({ time: record.time, level: 'warn', message, fields: {} });
    }
    sink(record);
  }
}
