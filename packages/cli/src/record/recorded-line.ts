import { isUtf8 } from 'node:buffer';

import { isSecretName, Redactor } from '@mcpmux/core';

import { parseJsonObject } from '../base/json-object.js';

/** The sender of a recorded line. */
export type Sender = 'client' | 'server' | 'stderr';

/** A recorded message or stderr line, without its line feed. */
export interface RecordedLine {
  readonly from: Sender;
  readonly line: Buffer;
}

const REDACTED = '[redacted]';
/**
 * Matches a JSON member with a non-empty string as its value. Captures the key and the separator. A match never starts
 * at an escaped quote, which is inside a string.
 */
const STRING_MEMBER = /(?<!\\)"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:\s*)"(?:[^"\\]|\\.)[^"\\]*(?:\\.[^"\\]*)*"/gs;
/** Matches a string member in JSON that is itself inside a JSON string, where quotes are escaped. */
const ESCAPED_STRING_MEMBER =
  /\\"([^"\\]*)\\"((?:\s|\\[nrt])*:(?:\s|\\[nrt])*)\\"[^"\\]*(?:\\\\(?:\\["\\]|[^"\\])[^"\\]*)*\\"/g;
/** Members of MCP messages whose names suggest a secret, but whose values are not secret. */
const PROTOCOL_MEMBERS: ReadonlySet<string> = new Set(['progressToken', 'nextCursor']);

/** Formats a line as an NDJSON record. `at` is the time in milliseconds since the start of the recording. */
export function formatRecordedLine({ from, line }: RecordedLine, at: number): string {
  const lineMember = isUtf8(line) ? { line: line.toString('utf8') } : { base64: line.toString('base64') };
  return `${JSON.stringify({ at, from, ...lineMember })}\n`;
}

/** Returns the record, without a line feed, that replaces a line that is too long or cannot be redacted. */
export function formatOmittedLine(from: Sender, at: number): string {
  return JSON.stringify({ at, from, problem: 'line too long' });
}

/** Returns the recorded lines. Skips records without a line, such as the header. */
export function parseRecording(text: string): readonly RecordedLine[] {
  return text.split('\n').flatMap((record): readonly RecordedLine[] => {
    const { from, line, base64 } = parseJsonObject(record) ?? {};
    if (from !== 'client' && from !== 'server' && from !== 'stderr') return [];
    if (typeof line === 'string') return [{ from, line: Buffer.from(line) }];
    return typeof base64 === 'string' ? [{ from, line: Buffer.from(base64, 'base64') }] : [];
  });
}

/**
 * Returns a function that masks secrets in a line: the known values, the values of environment variables with secret
 * names, and members with secret names, even in JSON inside a string.
 */
export function createRedaction(
  environment: Readonly<Record<string, string | undefined>>,
  knownValues: readonly string[] = [],
): (line: Buffer) => Buffer {
  const secretVariables = Object.entries(environment).filter(([name]) => isSecretName(name));
  const redactor = new Redactor([...secretVariables.map(([, value = '']) => value), ...knownValues]);
  return (line) => {
    // A line that is not UTF-8 is decoded as Latin-1, which preserves every byte.
    const encoding = isUtf8(line) ? 'utf8' : 'latin1';
    const text = line.toString(encoding);
    const maskedText = redactor.redact(
      text
        .replaceAll(STRING_MEMBER, memberMasker('"'))
        .replaceAll(ESCAPED_STRING_MEMBER, memberMasker('\\"')),
    );
    return maskedText === text ? line : Buffer.from(maskedText, encoding);
  };
}

function memberMasker(quote: string): (member: string, name: string, colon: string) => string {
  return (member, name, colon) =>
    isSecretName(name) && !PROTOCOL_MEMBERS.has(name)
      ? `${quote}${name}${quote}${colon}${quote}${REDACTED}${quote}`
      : member;
}
