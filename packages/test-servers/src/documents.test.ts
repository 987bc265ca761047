import { readFile } from 'node:fs/promises';

import { expect, it } from 'vitest';

import { withFixtureTable } from './testing/fixture-table.js';

// `vitest run -u` writes the file anew
it('lists every fixture in the README', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  await expect(withFixtureTable(readme)).toMatchFileSnapshot('../README.md');
});
