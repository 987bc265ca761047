import { createConsola, type ConsolaReporter } from 'consola/basic';

import { errStream, writeErr } from '../base/terminal-output.js';
import { formatFields, formatJson, formatMessage, type LogFormat, type LogRecord } from './log-record.js';

/** Writes records to stderr. */
export type LogSink = (record: LogRecord) => void;

const jsonReporter: ConsolaReporter = {
  log: ({ args }) => {
    const record: LogRecord = args[1];
    writeErr(formatJson(record));
  },
};

/** The one place that makes a consola: its default instance writes to stdout, which belongs to the protocol. */
export function consolaSink(format: LogFormat): LogSink {
  const consola = createConsola({
    // Filtered already, by the logger.
    level: Number.POSITIVE_INFINITY,
    throttle: 0,
    stdout: errStream,
    stderr: errStream,
    ...(format === 'json' && { reporters: [jsonReporter] }),
  });
  if (format === 'json') {
    // After the message: an object with a `message` as the only argument becomes consola's own log object.
    return (record) => consola[record.level](record.message, record);
  }
  return ({ level, message, fields }) => {
    const server = fields['server'];
    const instance = typeof server === 'string' ? consola.withTag(server) : consola;
    instance[level](`${formatMessage(message)}${formatFields(fields)}`);
  };
}
