import { isUtf8 } from 'node:buffer';

import { isSecretName } from '@mcpmux/core';

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
/** A shorter value of a variable may be a part of any text. */
const LEAST_SECRET = 6;
/** Matches a member of a JSON object whose value is a string: the key, and the text between key and value. */
const MEMBER = /"((?:[^"\\]|\\.)*)"(\s*:\s*)"(?:[^"\\]|\\.)+"/g;
/** Members whose names read like secrets, and which are a part of MCP. */
const OF_PROTOCOL: ReadonlySet<string> = new Set(['progressToken', 'nextCursor']);

/** Returns a line as one line of a recording (NDJSON). `at` is in milliseconds since the start. */
export function recordedText({ from, line }: RecordedLine, at: number): string {
  const bytes = isUtf8(line) ? { line: line.toString('utf8') } : { base64: line.toString('base64') };
  return `${JSON.stringify({ at, from, ...bytes })}\n`;
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

/** Returns a function that replaces secrets in a line: secrets of the environment, and members named like secrets. */
export function redaction(
  environment: Readonly<Record<string, string | undefined>>,
): (line: Buffer) => Buffer {
  const secrets = Object.entries(environment).flatMap(([name, value = '']) =>
    isSecretName(name) && value.length >= LEAST_SECRET ? [value, JSON.stringify(value).slice(1, -1)] : [],
  );
  const longestFirst = [...new Set(secrets)].toSorted((a, b) => b.length - a.length);
  return (line) => {
    const text = line.toString('latin1');
    const masked = longestFirst.reduce(
      (shown, secret) => shown.replaceAll(Buffer.from(secret).toString('latin1'), REDACTED),
      text.replaceAll(MEMBER, (member: string, name: string, colon: string) =>
        isSecretName(name) && !OF_PROTOCOL.has(name) ? `"${name}"${colon}"${REDACTED}"` : member,
      ),
    );
    return masked === text ? line : Buffer.from(masked, 'latin1');
  };
}
