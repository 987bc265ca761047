import { expect, it } from 'vitest';

import { EMPTY_TIMELINE, withMessages } from './timeline.js';

const REQUEST = { time: 10, from: 'client', kind: 'request', id: '1', method: 'tools/call', bytes: 5 };

it('a response has the method of its request and the time since then', () => {
  const asked = { ...REQUEST, time: 11, from: 'mcpmux', method: 'roots/list' };
  const response = { time: 25, from: 'mcpmux', kind: 'result', id: '1', bytes: 9 };
  const { messages } = withMessages(EMPTY_TIMELINE, { messages: [REQUEST, asked, response], missed: 0 });
  expect(messages[2]).toEqual({ ...response, method: 'tools/call', ms: 15, place: 3 });
});

it('the latest 200 messages are stored, and the others are counted', () => {
  const messages = Array.from({ length: 150 }, () => REQUEST);
  const one = withMessages(EMPTY_TIMELINE, { messages, missed: 2 });
  const two = withMessages(one, { messages, missed: 3 });
  expect(two.messages).toHaveLength(200);
  expect(two.messages.map(({ place }) => place)).toEqual(Array.from({ length: 200 }, (_, at) => at + 101));
  expect(two.missed).toBe(5);
});
