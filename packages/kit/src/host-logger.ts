import type { Logger, LogFields, LogLevel } from './logger.js';

/**
 * A logger with one method for each level, such as `console` and those of pino, winston and consola. Its methods are
 * called with the message and the fields; those of pino, which is known by its `bindings`, with the fields first.
 */
export interface LevelLogger extends Readonly<Record<LogLevel, (...record: never[]) => unknown>> {
  /** True if records of a level are stored. When absent: all levels. */
  isLevelEnabled?(level: LogLevel): boolean;
}

/** A destination of log records that a host has already. */
export type HostLogger = Logger | LevelLogger;

/** The destination as mcpmux uses it. */
export function asLogger(logger: HostLogger): Logger {
  if (isLogger(logger)) return logger;
  if (Object.is(logger, console)) return toStderr(console);
  const takesFieldsFirst = 'bindings' in logger;
  return {
    enabled: (level) => logger.isLevelEnabled?.(level) ?? true,
    log: (level, message, fields) =>
      write(logger, level, takesFieldsFirst ? [fields ?? {}, message] : recordOf(message, fields)),
  };
}

function isLogger(logger: HostLogger): logger is Logger {
  return 'enabled' in logger && 'log' in logger;
}

/**
 * `console.info` and `console.debug` write to stdout, which belongs to the client of a host that serves one there. Each
 * call that passes a mux is a record of the level `debug`.
 */
function toStderr({ error, warn }: Pick<Console, 'error' | 'warn'>): Logger {
  return {
    enabled: (level) => level !== 'debug',
    log: (level, message, fields) => (level === 'error' ? error : warn)(...recordOf(message, fields)),
  };
}

function recordOf(message: string, fields: LogFields | undefined): readonly unknown[] {
  return fields === undefined ? [message] : [message, fields];
}

function write(logger: LevelLogger, level: LogLevel, record: readonly unknown[]): unknown {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- loggers differ in what they declare, and take these
  const method = logger[level] as (...record: readonly unknown[]) => unknown;
  return method.apply(logger, [...record]);
}
