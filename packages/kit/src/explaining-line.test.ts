import { expect, it } from 'vitest';

import { explainingLine } from './explaining-line.js';

it.each([
  [['  Error: no token', '  at main (x.js:1)', '', 'Node.js v20.20.2'], 'Error: no token'],
  [
    ['throw error;', '^', '', 'RangeError [ERR_X]: out of range', '  at f (x.js:1)', 'Node.js v20'],
    'RangeError [ERR_X]: out of range',
  ],
  [['DATABASE_URL is missing', 'bye'], 'DATABASE_URL is missing'],
  [
    ['npm error code E404', 'npm error 404 Not Found', 'npm error A complete log: x'],
    'npm error 404 Not Found',
  ],
  [['starting', 'stopping'], 'stopping'],
  [['Traceback (most recent call last):', '  File "a.py", line 1', 'KeyError: 1'], 'KeyError: 1'],
  [['', '  at main (x.js:1)'], undefined],
])('%j is explained by %j', (lines, line) => {
  expect(explainingLine(lines)).toBe(line);
});
