import { readFile } from 'node:fs/promises';

import { expect, it } from 'vitest';

const example = read('../examples/embed.ts');

it('shows the example in its README as it is', async () => {
  await expect(read('../README.md')).resolves.toContain(`\`\`\`ts\n${await example}\`\`\`\n`);
});

it('shows the example in the section "Embed it" of the README of the repository as it is', async () => {
  const [, section = ''] = (await read('../../../README.md')).split('\n## Embed it\n');
  const [untilNext = ''] = section.split('\n## ');
  expect(untilNext).toContain(`\`\`\`ts\n${await example}\`\`\`\n`);
});

it('shows the example of a guard in docs/guards.md as it is', async () => {
  await expect(read('../../../docs/guards.md')).resolves.toContain(
    `\`\`\`ts\n${await read('../examples/guard.ts')}\`\`\`\n`,
  );
});

function read(path: string): Promise<string> {
  return readFile(new URL(path, import.meta.url), 'utf8');
}
