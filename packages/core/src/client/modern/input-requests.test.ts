import { expect, it } from 'vitest';

import { readInputRequests } from './input-requests.js';

function read(questions: number): number | undefined {
  const entries = Array.from({ length: questions }, (_, index) => [`k${index}`, { method: 'roots/list' }]);
  const line = Buffer.from(JSON.stringify(Object.fromEntries(entries)));
  return readInputRequests(line, { start: 0, end: line.length })?.length;
}

it('a server puts a thousand questions in one result, and no more', () => {
  expect([0, 1000, 1001, 100_000].map(read)).toEqual([0, 1000, undefined, undefined]);
});
