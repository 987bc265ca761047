import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { documentedNames, exportedNames } from '@mcpmux/testing/door';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

it('the README lists what the door exports, and nothing else', () => {
  const names = exportedNames(read('./index.ts'));
  expect(names.length).toBeGreaterThan(40);
  expect(documentedNames(read('../README.md'))).toEqual(names);
});

it('the README shows the example as it is run', () => {
  expect(read('../README.md')).toContain(read('../examples/rename-tool.ts'));
});
