import { escapeControls, type LogFields, type LogLevel } from '@mcpmux/core';

/** The format in which log records are written to stderr. */
export type LogFormat = 'pretty' | 'json';

/** All log formats. */
export const LOG_FORMATS: readonly LogFormat[] = ['pretty', 'json'];
/** The most severe level first; `silent` logs nothing. */
export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
/** Records of this level and of more severe levels are logged. */
export type LogThreshold = (typeof LOG_LEVELS)[number];

/** A record of one event. */
export interface LogRecord {
  /** Milliseconds since 1970, UTC. */
  readonly time: number;
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

/** Returns one JSON line: time (ISO 8601, UTC), level, message, and the record's fields. */
export function formatJson({ time, level, message, fields }: LogRecord): string {
  return `${JSON.stringify({ ...fields, time: new Date(time).toISOString(), level, message })}\n`;
}

/**
 * Returns the message for people. Line breaks stay, for reports of several lines. Other control characters are escaped.
 */
export function formatMessage(message: string): string {
  return message.split('\n').map(oneLine).join('\n');
}

/** Returns the text for people: the message, then the fields as `key=value`. The server's name is a prefix. */
export function formatFields(fields: LogFields): string {
  return Object.entries(fields)
    .filter(([key]) => key !== 'server' && key !== 'stream')
    .map(([key, value]) => ` ${key}=${typeof value === 'string' ? oneLine(value) : JSON.stringify(value)}`)
    .join('');
}

/**
 * Returns text as one line. A server may have chosen the text, so it must not move the cursor of a terminal or begin a
 * line of the log.
 */
function oneLine(text: string): string {
  return escapeControls(text).replaceAll('\n', String.raw`\u000a`);
}
