import { expect, it } from 'vitest';

import { listHabitOf } from './client-habits.js';

it.each([
  ['claude-code', 'requests'],
  ['gemini-cli-mcp-client', 'requests'],
  ['codex-mcp-client', 'ignores'],
  ['Codex', 'ignores'],
  ['my-codex', undefined],
  ['', undefined],
])('a client that calls itself %j: %s', (name, habit) => {
  expect(listHabitOf(name)).toBe(habit);
});

it('a client without a name has no known habit', () => {
  expect(listHabitOf(undefined)).toBeUndefined();
});
