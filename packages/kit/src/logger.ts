import { afterCallback } from './host-callback.js';

/** Severity of a log record, most severe first. */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

/** Structured details of a log record. Values must be serializable, and never hold the value of a secret. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Receives mcpmux's log records. The host provides the logger; nothing in this package writes to a stream. */
export interface Logger {
  /** False when records of this level are discarded, so that the forwarding path need not create them. */
  enabled(level: LogLevel): boolean;
  log(level: LogLevel, message: string, fields?: LogFields): void;
}

/** A logger that never throws. When the host's logger throws, the error and the record are lost. */
export function guarded(logger: Logger): Logger {
  return {
    enabled: (level) => {
      try {
        return logger.enabled(level);
      } catch {
        return false;
      }
    },
    log: (level, message, fields) => {
      try {
        afterCallback(logger.log(level, message, fields));
      } catch {
        // A failed logger leaves no place to report the failure.
      }
    },
  };
}

/** Discards everything. */
export const nullLogger: Logger = Object.freeze({ enabled: () => false, log: () => undefined });
