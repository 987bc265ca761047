import type { Logger, LogFields, LogLevel } from './logger.js';

/**
 * A logger with one method for each level, such as `console` or a pino, winston or consola logger. The methods receive
 * the message and then the fields. A pino logger, recognized by its `bindings`, receives the fields first.
 */
export interface LevelLogger extends Readonly<Record<LogLevel, (...record: never[]) => unknown>> {
  /** True if records of a level are logged. If this method is absent, records of all levels are. */
  isLevelEnabled?(level: LogLevel): boolean;
}

/** The host's destination for log records: a {@link Logger}, or a logger with one method for each level. */
export type HostLogger = Logger | LevelLogger;

/** Adapts a host's logger to mcpmux's interface. */
export function asLogger(logger: HostLogger): Logger {
  if (isLogger(logger)) return logger;
  if (Object.is(logger, console)) return createStderrLogger(console);
  const takesFieldsFirst = 'bindings' in logger;
  return {
    enabled: (level) => logger.isLevelEnabled?.(level) ?? true,
    log: (level, message, fields) =>
      write(logger, level, takesFieldsFirst ? [fields ?? {}, message] : logArguments(message, fields)),
  };
}

function isLogger(logger: HostLogger): logger is Logger {
  return 'enabled' in logger && 'log' in logger;
}

/**
 * Returns a logger that writes to stderr. `console.info` and `console.debug` write to stdout, which belongs to the
 * client if the host serves a client on stdio. Debug records are omitted, because each forwarded call would write one.
 */
function createStderrLogger({ error, warn }: Pick<Console, 'error' | 'warn'>): Logger {
  return {
    enabled: (level) => level !== 'debug',
    log: (level, message, fields) => (level === 'error' ? error : warn)(...logArguments(message, fields)),
  };
}

function logArguments(message: string, fields: LogFields | undefined): readonly unknown[] {
  return fields === undefined ? [message] : [message, fields];
}

function write(logger: LevelLogger, level: LogLevel, record: readonly unknown[]): unknown {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- loggers declare different types, and all accept these
  const method = logger[level] as (...record: readonly unknown[]) => unknown;
  return method.apply(logger, [...record]);
}
