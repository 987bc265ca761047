/** Severity of a log record, most severe first. */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

/** Structured details of a log record. Values must be serializable, and never hold the value of a secret. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Where mcpmux reports what it does. The host brings its own; nothing in this package writes to a stream. */
export interface Logger {
  /** False when records of this level go nowhere, so that the forwarding path need not make them. */
  enabled(level: LogLevel): boolean;
  log(level: LogLevel, message: string, fields?: LogFields): void;
}

/** A logger that never throws: what a host's own one throws is lost, as the record is. */
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
        logger.log(level, message, fields);
      } catch {
        // There is nobody to tell.
      }
    },
  };
}

/** Discards everything. */
export const nullLogger: Logger = Object.freeze({ enabled: () => false, log: () => undefined });
