import { withApiLists } from '@mcpmux/testing/door';
import { expect, it } from 'vitest';

it('the README lists every export, and no other name', async () => {
  const readme = new URL('../README.md', import.meta.url);
  await expect(withApiLists(readme)).toMatchFileSnapshot('../README.md'); // `vitest run -u` writes it
});
