import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryFolder } from '@mcpmux/testing/temporary-folder';
import { expect, it } from 'vitest';

import { register } from '../examples/register.js';

it('shows its example in the README as it is', async () => {
  const read = (path: string): Promise<string> => readFile(new URL(path, import.meta.url), 'utf8');
  const example = await read('../examples/register.ts');
  await expect(read('../README.md')).resolves.toContain(`\`\`\`ts\n${example}\`\`\`\n`);
});

it('has an example that registers a server and loses no comment', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, '.cursor', 'mcp.json');
  await mkdir(join(folder.path, '.cursor'));
  await writeFile(file, '{\n  // mine\n  "mcpServers": {\n    "a": { "command": "x" } // of a\n  }\n}\n');
  const places = { home: folder.path, cwd: folder.path, platform: 'linux', environment: {} } as const;
  await expect(register('cursor', places)).resolves.toEqual(['a']);
  await expect(readFile(file, 'utf8')).resolves.toBe(
    '{\n  // mine\n  "mcpServers": {\n    "a": { "command": "x" }, // of a\n    "mine": {\n' +
      '      "command": "npx",\n      "args": [\n        "-y",\n        "my-server"\n      ]\n    }\n  }\n}\n',
  );
});
