import { readFile } from 'node:fs/promises';

import { expect, it } from 'vitest';

import { withFixtureNames } from './testing/fixture-names.js';

// `vitest run -u` writes the file anew
it('lists every fixture in the README', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  await expect(withFixtureNames(readme)).toMatchFileSnapshot('../README.md');
});
