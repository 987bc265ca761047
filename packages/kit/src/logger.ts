/** The severity of a log record, most severe first. */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

/** Structured details of a log record. Values must be serializable, and must never contain secrets. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Receives mcpmux's log records. The host provides the logger, because mcpmux itself writes to no stream. */
export interface Logger {
  /** False if records of this level are discarded, so that mcpmux need not create them. */
  enabled(level: LogLevel): boolean;
  log(level: LogLevel, message: string, fields?: LogFields): void;
}

/** A logger that discards every record. */
export const nullLogger: Logger = Object.freeze({ enabled: () => false, log: () => undefined });
