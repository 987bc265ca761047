import { describe, expect, it } from 'vitest';

import { markdownTable } from './table.js';

describe('markdownTable', () => {
  it('pads every cell to the widest of its column, on the side that the column says', () => {
    const columns = [
      { heading: 'target', align: 'left' },
      { heading: 'n', align: 'right' },
    ] as const;
    const table = markdownTable(columns, [
      ['mcpmux', '1'],
      ['byte-pipe', '1,000'],
    ]);
    expect(table).toBe(
      [
        '| target    |     n |',
        '| --------- | ----: |',
        '| mcpmux    |     1 |',
        '| byte-pipe | 1,000 |',
        '',
      ].join('\n'),
    );
  });

  it('draws a rule of at least three signs', () => {
    const columns = [
      { heading: 'a', align: 'left' },
      { heading: 'b', align: 'right' },
    ] as const;
    expect(markdownTable(columns, [])).toBe('| a   |   b |\n| --- | --: |\n');
  });

  it('leaves the cells empty that a row does not have', () => {
    const columns = [
      { heading: 'one', align: 'left' },
      { heading: 'two', align: 'left' },
    ] as const;
    expect(markdownTable(columns, [['1']])).toContain('| 1   |     |\n');
  });
});
