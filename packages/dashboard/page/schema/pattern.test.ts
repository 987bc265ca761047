import { expect, it } from 'vitest';

import { matchesPattern } from './pattern.js';

it.each([
  [String.raw`^[a-z0-9._%+-]+@[a-z0-9.-]+\.[a-z]{2,}$`, 'ada@example.com', true],
  [String.raw`^[a-z0-9._%+-]+@[a-z0-9.-]+\.[a-z]{2,}$`, 'ada', false],
  [String.raw`^\d{4}-\d{2}(-\d{2})?$`, '2026-01', true],
  [String.raw`^\d{4}-\d{2}(-\d{2})?$`, '2026', false],
  ['^(yes|no)$', 'no', true],
  ['^(yes|no)$', 'maybe', false],
  [String.raw`^[\]()*]+$`, '()*]', true],
])('the pattern %j and the text %j: %j', (pattern, text, matches) => {
  expect(matchesPattern(pattern, text)).toBe(matches);
});

it.each([
  '^(a+)+$',
  '^(a|a)*$',
  '^(a|aa){40}$',
  '^(a+){20}$',
  '(.*)(.*)(.*)(.*)(.*)x',
  '(?:a?){40}a{40}',
  'a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?b',
  String.raw`^(a*)\1*\1*$`,
  '((a*)*)*',
  '[',
  '(',
  'a)',
])('the pattern %j of a server is not tried, since it could keep the page busy or is none', (pattern) => {
  const begun = performance.now();
  expect(matchesPattern(pattern, `${'a'.repeat(60)}!`)).toBe(true);
  expect(performance.now() - begun).toBeLessThan(50);
});
