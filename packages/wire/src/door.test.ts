import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { doorDifferences } from '@mcpmux/testing/door';

const readme = new URL('../README.md', import.meta.url);

it('the README lists what the door exports, and nothing else', () => {
  const differences = doorDifferences(readme, new URL('index.ts', import.meta.url));
  expect(differences).toEqual({ missing: [], unknown: [] });
});

it('the README shows the example as it is run', () => {
  const example = readFileSync(new URL('../examples/rename-tool.ts', import.meta.url), 'utf8');
  expect(readFileSync(readme, 'utf8')).toContain(example);
});
