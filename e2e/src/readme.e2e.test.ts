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

it('the README of the command names only tools of mcpmux, and every argument of add_server', async () => {
  await using person = await Person.arrive();
  await person.configure({ mcpServers: {}, guards: { largeResults: {} } });
  await using mcpmux = new RawCli({ args: ['--code-mode'], env: person.environment, cwd: person.home });
  await mcpmux.initialize();
  const { tools } = (await mcpmux.request('tools/list')).result as unknown as Listed;
  const names = new Set(tools.map(({ name }) => name));
  const readme = await readFile(join(dirname(dirname(CLI)), 'README.md'), 'utf8');
  const rows = [...readme.matchAll(/^\| (?<cell>(?:`\w+`(?:, )?)+) +\|/gm)].map(
    ({ groups }) => groups?.['cell'] ?? '',
  );
  const named = rows.flatMap((cell) => cell.match(/\w+/g) ?? []);
  expect(named).toEqual(expect.arrayContaining(['add_server', 'read_result', 'run_code']));
  expect(named.filter((name) => !names.has(name))).toEqual([]);
  const add = tools.find(({ name }) => name === 'add_server');
  const words = Object.keys(add?.inputSchema.properties ?? {});
  expect(words.filter((word) => !new RegExp(`\`${word}\\??\``).test(readme))).toEqual([]);
});
