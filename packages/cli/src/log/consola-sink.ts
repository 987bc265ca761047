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

/** The only place that creates a consola. Its default instance writes to stdout, which carries JSON-RPC. */
export function consolaSink(format: LogFormat): LogSink {
  const consola = createConsola({
    // The logger has filtered the records already.
    level: Number.POSITIVE_INFINITY,
    throttle: 0,
    stdout: errStream,
    stderr: errStream,
    ...(format === 'json' && { reporters: [jsonReporter] }),
  });
  if (format === 'json') {
    // The record is the second argument: as the only one, an object with a `message` becomes consola's own log object.
    return (record) => consola[record.level](record.message, record);
  }
  return ({ level, message, fields }) => {
    const server = fields['server'];
    const instance = typeof server === 'string' ? consola.withTag(server) : consola;
    instance[level](`${formatMessage(message)}${formatFields(fields)}`);
  };
}
