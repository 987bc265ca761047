import { expect, it } from 'vitest';

import { sampleReport } from '../testing/sample-report.js';
import { partsOf, textOf } from './docs.js';

it('the file has one row of a table a line', () => {
  const data = {
    results: [
      '## Goals',
      [
        ['goal', 'met'],
        ['a', 'yes'],
      ],
    ],
  };
  const text = textOf(data);
  expect(text.split('\n')).toContain('      ["goal", "met"],');
  expect(JSON.parse(text)).toEqual(data);
});

it('only parts that have run are written', () => {
  expect(partsOf(sampleReport())).toEqual([]);
  const urls = { rounds: 9, windowMs: 300, cells: [] };
  expect(partsOf(sampleReport({ urls })).map(([part]) => part)).toEqual(['url']);
  expect(partsOf(sampleReport({ scale: [], urls })).map(([part]) => part)).toEqual(['results', 'url']);
});
