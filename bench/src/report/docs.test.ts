import { describe, expect, it } from 'vitest';

import { sampleReport } from '../testing/sample-report.js';
import { partsOf, withResults } from './docs.js';

const PAGE = 'above\n<!-- results: begin -->\nold\n<!-- results: end -->\nbelow\n';

describe('withResults', () => {
  it('replaces what is between the markers and nothing else', () => {
    expect(withResults(PAGE, 'new\n')).toBe(
      'above\n<!-- results: begin -->\n\nnew\n\n<!-- results: end -->\nbelow\n',
    );
  });

  it('changes nothing when the results are the same', () => {
    const once = withResults(PAGE, 'new\n');
    expect(withResults(once, 'new\n')).toBe(once);
  });

  it('leaves the results of other parts as they are', () => {
    const page = `${PAGE}<!-- http results: begin -->\nold\n<!-- http results: end -->\n`;
    const changed = withResults(page, 'new\n', 'http results');
    expect(changed).toBe(`${PAGE}<!-- http results: begin -->\n\nnew\n\n<!-- http results: end -->\n`);
  });

  it.each(['no markers', '<!-- results: end --><!-- results: begin -->'])(
    'refuses a page with %s',
    (page) => {
      expect(() => withResults(page, 'new\n')).toThrow('in the page');
    },
  );
});

it('only parts that have run are written', () => {
  expect(partsOf(sampleReport())).toEqual([]);
  const urls = { rounds: 9, windowMs: 300, cells: [] };
  expect(partsOf(sampleReport({ urls })).map(([part]) => part)).toEqual(['url results']);
  expect(partsOf(sampleReport({ scale: [], urls })).map(([part]) => part)).toEqual([
    'results',
    'url results',
  ]);
});
