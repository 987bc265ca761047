import { expect, it } from 'vitest';

import { keyOf } from './layers.js';
import { logOfServer } from './log-of-server.js';
import { logLine, type LogLine } from './model.js';

const KEY = keyOf({ name: 's' });

function line(text: string, sequence?: number, server = 's'): LogLine {
  return logLine({ time: 0, kind: 'stderr', server, text, ...(sequence !== undefined && { sequence }) });
}

function texts(lines: readonly LogLine[], stored?: readonly LogLine[]): readonly string[] {
  const log = stored && { lines: stored, lastEvents: new Map([[KEY, 5]]) };
  return logOfServer(lines, KEY, log).map(({ text }) => text);
}

it('the lines of a server are those of the page until the stored ones come', () => {
  expect(texts([line('a'), line('b', 1, 'other')])).toEqual(['a']);
});

it('stored lines are before those that came since, and no line is there twice', () => {
  const stored = ['a', 'b', 'c'].map((text) => line(text));
  const lines = [line('c', 5), line('x', 6, 'other'), line('d', 6)];
  expect(texts(lines, stored)).toEqual(['a', 'b', 'c', 'd']);
});

it('the page may have more lines of a server than mcpmux stores', () => {
  const lines = [line('a', 3), line('b', 4), line('c', 5)];
  expect(texts(lines, [line('b'), line('c')])).toEqual(['a', 'b', 'c']);
});
