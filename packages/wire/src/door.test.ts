import { readFileSync } from 'node:fs';

import { withApiLists } from '@mcpmux/testing/door';
import { expect, it } from 'vitest';

const readme = new URL('../README.md', import.meta.url);

it('the README lists every export, and no other name', async () => {
  await expect(withApiLists(readme)).toMatchFileSnapshot('../README.md'); // `vitest run -u` writes it
});

it('the README shows the example as it is run', () => {
  const example = readFileSync(new URL('../examples/rename-tool.ts', import.meta.url), 'utf8');
  expect(readFileSync(readme, 'utf8')).toContain(example);
});
