import type { Logger, LogFields, LogLevel } from '@mcpmux/core';

import type { LogSink } from './consola-sink.js';
import { LOG_LEVELS, type LogFormat, type LogRecord, type LogThreshold } from './log-record.js';

/** A logger to stderr, by consola. consola is loaded after the first answer: until then records wait here. */
export class StderrLogger implements Logger {
  private early: LogRecord[] = [];
  private sink: LogSink | undefined;

  constructor(
    private readonly threshold: LogThreshold,
    private readonly format: LogFormat,
  ) {}

  enabled(level: LogLevel): boolean {
    return LOG_LEVELS.indexOf(level) <= LOG_LEVELS.indexOf(this.threshold);
  }

  log(level: LogLevel, message: string, fields: LogFields = {}): void {
    if (!this.enabled(level)) return;
    const record = { time: Date.now(), level, message, fields };
    if (this.sink === undefined) this.early.push(record);
    else this.sink(record);
  }

  /** Loads consola and writes what has waited. */
  async start(): Promise<void> {
    const { consolaSink } = await import('./consola-sink.js');
    this.sink = consolaSink(this.format);
    for (const record of this.early) this.sink(record);
    this.early = [];
  }
}
