import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { expect, it } from 'vitest';

import { CLI } from './testing/built-cli.js';
import { Person } from './testing/person.js';
import { RawCli } from './testing/raw-cli.js';

interface Listed {
  readonly tools: readonly {
    readonly name: string;
    readonly inputSchema: { readonly properties?: Readonly<Record<string, unknown>> };
  }[];
}

it('the README of the command names each tool of mcpmux, and each argument of add_server', async () => {
  await using person = await Person.arrive();
  await person.configure({ mcpServers: {}, guards: { largeResults: {} } });
  await using mcpmux = new RawCli({ args: ['--code-mode'], env: person.environment, cwd: person.home });
  await mcpmux.initialize();
  const { tools } = (await mcpmux.request('tools/list')).result as unknown as Listed;
  const names = tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['add_server', 'read_result', 'run_code']));
  const add = tools.find(({ name }) => name === 'add_server');
  const words = [...names, ...Object.keys(add?.inputSchema.properties ?? {})];
  const readme = await readFile(join(dirname(dirname(CLI)), 'README.md'), 'utf8');
  expect(words.filter((word) => !new RegExp(`\`${word}\\??\``).test(readme))).toEqual([]);
});
