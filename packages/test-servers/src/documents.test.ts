import { readFile } from 'node:fs/promises';

import { expect, it } from 'vitest';

import { withFixtureTable } from './testing/fixture-table.js';
import { thirdPartyNotices } from './testing/third-party-notices.js';

// `vitest run -u` writes both files anew

it('lists every fixture in the README', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  await expect(withFixtureTable(readme)).toMatchFileSnapshot('../README.md');
});

it('ships the licence of every bundled package', async () => {
  const notices = await thirdPartyNotices(new URL('../dist/', import.meta.url));
  await expect(notices).toMatchFileSnapshot('../THIRD-PARTY-NOTICES.md');
});
