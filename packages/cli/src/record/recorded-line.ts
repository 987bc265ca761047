import { isUtf8 } from 'node:buffer';

import { isSecretName, Redactor } from '@mcpmux/core';

import { jsonObject } from '../base/json-object.js';

/** The sender of a recorded line. */
export type Sender = 'client' | 'server' | 'stderr';

/** A line of a recording, without its line end. */
export interface RecordedLine {
  readonly from: Sender;
  readonly line: Buffer;
}

/** The value in place of a secret. */
const REDACTED = '[redacted]';
/**
 * Matches a member of a JSON object whose value is a string: the key, and the text between key and value. No match
 * starts at an escaped quote, so that each string is read once.
 */
const MEMBER = /(?<!\\)"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:\s*)"(?:[^"\\]|\\.)[^"\\]*(?:\\.[^"\\]*)*"/gs;
/** Matches the same in a string that contains JSON. */
const INNER_MEMBER =
  /\\"([^"\\]*)\\"((?:\s|\\[nrt])*:(?:\s|\\[nrt])*)\\"[^"\\]*(?:\\\\(?:\\["\\]|[^"\\])[^"\\]*)*\\"/g;
/** Members whose names read like secrets, and which are a part of MCP. */
const OF_PROTOCOL: ReadonlySet<string> = new Set(['progressToken', 'nextCursor']);

/** Returns a line as one line of a recording (NDJSON). `at` is in milliseconds since the start. */
export function recordedText({ from, line }: RecordedLine, at: number): string {
  const bytes = isUtf8(line) ? { line: line.toString('utf8') } : { base64: line.toString('base64') };
  return `${JSON.stringify({ at, from, ...bytes })}\n`;
}

/** Returns the record in place of a line that is too long. It has no line end. */
export function unrecordedText(from: Sender, at: number): string {
  return JSON.stringify({ at, from, problem: 'line too long' });
}

/** Returns the lines of a recording. Lines of other kinds are left out. */
export function recordedLines(text: string): readonly RecordedLine[] {
  return text.split('\n').flatMap((record): readonly RecordedLine[] => {
    const { from, line, base64 } = jsonObject(record) ?? {};
    if (from !== 'client' && from !== 'server' && from !== 'stderr') return [];
    if (typeof line === 'string') return [{ from, line: Buffer.from(line) }];
    return typeof base64 === 'string' ? [{ from, line: Buffer.from(base64, 'base64') }] : [];
  });
}

/**
 * Returns a function that replaces secrets in a line: known values, secrets of the environment, and members named like
 * secrets, also in JSON within a string.
 */
export function redaction(
  environment: Readonly<Record<string, string | undefined>>,
  known: readonly string[] = [],
): (line: Buffer) => Buffer {
  const named = Object.entries(environment).filter(([name]) => isSecretName(name));
  const redactor = new Redactor([...named.map(([, value = '']) => value), ...known]);
  return (line) => {
    // The bytes of other encodings stay as they are.
    const encoding = isUtf8(line) ? 'utf8' : 'latin1';
    const text = line.toString(encoding);
    const masked = redactor.redact(
      text.replaceAll(MEMBER, maskedBy('"')).replaceAll(INNER_MEMBER, maskedBy('\\"')),
    );
    return masked === text ? line : Buffer.from(masked, encoding);
  };
}

function maskedBy(quote: string): (member: string, name: string, colon: string) => string {
  return (member, name, colon) =>
    isSecretName(name) && !OF_PROTOCOL.has(name)
      ? `${quote}${name}${quote}${colon}${quote}${REDACTED}${quote}`
      : member;
}
