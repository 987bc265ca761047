import { escapeControls, type LogFields, type LogLevel } from '@mcpmux/core';

/** The format of log records on stderr. */
export type LogFormat = 'pretty' | 'json';

/** All log formats. */
export const LOG_FORMATS: readonly LogFormat[] = ['pretty', 'json'];
/** All log levels, most severe first. `silent` logs nothing. */
export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
/** The least severe level that is logged. */
export type LogThreshold = (typeof LOG_LEVELS)[number];

/** A log record. */
export interface LogRecord {
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

/** Formats a record as one JSON line with the fields, the time (ISO 8601, UTC), the level, and the message. */
export function formatJson({ time, level, message, fields }: LogRecord): string {
  return `${JSON.stringify({ ...fields, time: new Date(time).toISOString(), level, message })}\n`;
}

/** Formats a message for people. Escapes control characters, but preserves the line breaks of multi-line reports. */
export function formatMessage(message: string): string {
  return message.split('\n').map(oneLine).join('\n');
}

/** Formats fields for people as `key=value`. Omits the server name, which precedes the message, and the stream. */
export function formatFields(fields: LogFields): string {
  return Object.entries(fields)
    .filter(([key]) => key !== 'server' && key !== 'stream')
    .map(([key, value]) => ` ${key}=${typeof value === 'string' ? oneLine(value) : JSON.stringify(value)}`)
    .join('');
}

/** Escapes control characters and line breaks, so that a server's text cannot move the cursor or start a log line. */
function oneLine(text: string): string {
  return escapeControls(text).replaceAll('\n', String.raw`\u000a`);
}
