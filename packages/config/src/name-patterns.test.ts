import { accessControl } from '@mcpmux/core/guards';
import { expect, it } from 'vitest';

import { matching } from './name-patterns.js';

const PATTERNS = [
  'get_*',
  '*',
  'a/*',
  '!get_file',
  '.*',
  'get_?',
  '{get,set}_x',
  '[ab]*',
  'get_file',
  'a\\*',
];
const NAMES = [
  'get_file',
  'get_x',
  'set_x',
  'a/b',
  'a/b/c',
  '.hidden',
  '!get_file',
  'b',
  'a*',
  '*',
  'GET_X',
  '',
];

it.each(PATTERNS)('the pattern %j means the same tools in a filter of tools and in a guard', (pattern) => {
  const { shows } = accessControl({ rules: [{ tools: [pattern], allow: true }], otherwise: 'deny' });
  const ofGuard = NAMES.filter((name) => shows?.({ id: 'x', roles: [], rights: [] }, 'server', name));
  expect(NAMES.filter(matching([pattern]))).toEqual(ofGuard);
});
