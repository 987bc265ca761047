import { createConsola, type ConsolaReporter } from 'consola/basic';

import { errStream, writeErr } from '../base/terminal-output.js';
import { clockTime } from '../base/clock-time.js';
import { formatFields, formatJson, formatMessage, type LogFormat, type LogRecord } from './log-record.js';
import { Repeats } from './repeats.js';

/** Writes records to stderr. */
export type LogSink = (record: LogRecord) => void;

const jsonReporter: ConsolaReporter = {
  log: ({ args }) => {
    const record: LogRecord = args[1];
    writeErr(formatJson(record));
  },
};

const prettyReporter: ConsolaReporter = {
  log: ({ args }) => {
    const { time, level, message, fields }: LogRecord = args[1];
    const server = typeof fields['server'] === 'string' ? `[${formatMessage(fields['server'])}] ` : '';
    writeErr(`${clockTime(time)} [${level}] ${server}${formatMessage(message)}${formatFields(fields)}\n`);
  },
};

/** Creates the only consola of mcpmux. consola's default instance writes to stdout, which carries JSON-RPC. */
export function consolaSink(format: LogFormat): LogSink {
  const consola = createConsola({
    // The logger has already filtered the records.
    level: Number.POSITIVE_INFINITY,
    throttle: 0,
    stdout: errStream,
    stderr: errStream,
    reporters: [format === 'json' ? jsonReporter : prettyReporter],
  });
  const repeats = new Repeats();
  return (record) => {
    if (format === 'pretty' && repeats.isRepeated(record)) return;
    // The record is the second argument, because consola would treat a single object with a `message` as its own log
    // object.
    consola[record.level](record.message, record);
  };
}
