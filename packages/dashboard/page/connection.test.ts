import { afterEach, expect, it, vi } from 'vitest';

import { lines } from './connection.js';

const LINES = 500;

afterEach(() => void vi.unstubAllGlobals());

it('a stream that is ahead of the page leaves the browser time for other tasks', async () => {
  const line = new TextEncoder().encode('{}\n');
  let sent = 0;
  const body = new ReadableStream({
    pull: (stream) => {
      sent += 1;
      if (sent > LINES) stream.close();
      else stream.enqueue(line);
    },
  });
  vi.stubGlobal('localStorage', { getItem: () => '' });
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(body)));
  let read = 0;
  let readBefore = LINES;
  setTimeout(() => (readBefore = read), 1);
  for await (const _ of lines('events')) read += 1;
  expect(read).toBe(LINES);
  expect(readBefore).toBeLessThan(LINES);
});
