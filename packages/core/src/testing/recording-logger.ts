import type { LogFields, Logger, LogLevel } from '@mcpmux/kit';

/** One record as the logger was given it. */
export interface LogRecord {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

/** A logger that keeps everything, for a test to look at. */
export class RecordingLogger implements Logger {
  readonly records: LogRecord[] = [];

  enabled(): boolean {
    return true;
  }

  log(level: LogLevel, message: string, fields: LogFields = {}): void {
    this.records.push({ level, message, fields });
  }

  /** The messages of one level, oldest first. */
  messages(level: LogLevel): readonly string[] {
    return this.records.filter((record) => record.level === level).map((record) => record.message);
  }
}
