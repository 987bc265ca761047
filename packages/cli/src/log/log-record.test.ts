import { describe, expect, it } from 'vitest';

import { formatFields, formatJson, formatMessage, type LogRecord } from './log-record.js';

const RECORD: LogRecord = {
  time: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
  level: 'warn',
  message: 'server crashed',
  fields: { server: 'git', pid: 12 },
};

describe('formatJson', () => {
  it('writes one line of JSON with the time in UTC, the level, the message and the fields', () => {
    const line = formatJson(RECORD);
    expect(line).toMatch(/^[^\n]*\n$/);
    expect(JSON.parse(line)).toEqual({
      time: '2026-01-02T03:04:05.006Z',
      level: 'warn',
      message: 'server crashed',
      server: 'git',
      pid: 12,
    });
  });

  it('does not let a field replace the time, the level or the message', () => {
    const fields = { time: 'never', level: 'debug', message: 'all is well' };
    expect(JSON.parse(formatJson({ ...RECORD, fields }))).toEqual({
      time: '2026-01-02T03:04:05.006Z',
      level: 'warn',
      message: 'server crashed',
    });
  });

  it('fault H5: stays one line when a message or a field holds newlines', () => {
    const line = formatJson({ ...RECORD, message: 'a\nb', fields: { line: 'c\r\nd' } });
    expect(line.indexOf('\n')).toBe(line.length - 1);
    expect(JSON.parse(line)).toMatchObject({ message: 'a\nb', line: 'c\r\nd' });
  });
});

describe('formatFields', () => {
  it('writes fields as key=value, and other values than text as JSON', () => {
    expect(formatFields({ pid: 12, command: 'node', args: ['a', 'b'], ok: true })).toBe(
      ' pid=12 command=node args=["a","b"] ok=true',
    );
  });

  it('leaves out the server and the stream, which are shown as a prefix', () => {
    expect(formatFields({ server: 'git', stream: 'stderr', pid: 12 })).toBe(' pid=12');
  });

  it('fault H5: writes control characters of a text as escapes, so that they neither move the cursor nor begin a line', () => {
    expect(formatFields({ line: 'a\u001b[2Jb\nc\u009bd' })).toBe(String.raw` line=a\u001b[2Jb\u000ac\u009bd`);
  });

  it('is empty without fields', () => {
    expect(formatFields({})).toBe('');
  });
});

describe('formatMessage', () => {
  it('keeps the lines of a report, and makes visible what could move the cursor', () => {
    expect(formatMessage('a\n  b \u001b[31m\u009b2J\u2028 é')).toBe('a\n  b \\u001b[31m\\u009b2J\\u2028 é');
  });
});
