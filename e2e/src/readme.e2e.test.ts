import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, it } from 'vitest';

import { CLI } from './testing/built-cli.js';
import { Person } from './testing/person.js';
import { RawCli } from './testing/raw-cli.js';

interface Listed {
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: { readonly properties?: Readonly<Record<string, unknown>> };
  }[];
}

interface Pages {
  readonly toolsPage: (root: string) => string;
}

const ROOT = new URL('../../', import.meta.url);
/** The names in the first column of the table of tools. */
const ROW = /^\| (`[^|]+?) +\|/gm;

async function listed(): Promise<Listed['tools']> {
  await using person = await Person.arrive();
  await person.configure({ mcpServers: {}, guards: { largeResults: {} } });
  await using mcpmux = new RawCli({ args: ['--code-mode'], env: person.environment, cwd: person.home });
  await mcpmux.initialize();
  return ((await mcpmux.request('tools/list')).result as unknown as Listed).tools;
}

it('the README of the command names only tools that mcpmux has, those of the main job among them', async () => {
  const tools = (await listed()).map(({ name }) => name);
  const readme = await readFile(join(dirname(dirname(CLI)), 'README.md'), 'utf8');
  const named = [...readme.matchAll(ROW)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
  expect(named).toEqual(
    expect.arrayContaining(['add_server', 'reload_server', 'remove_server', 'list_servers']),
  );
  expect(tools).toEqual(expect.arrayContaining(named));
});

it('the site has each tool of mcpmux with its description and each argument', async () => {
  const { toolsPage } = (await import(new URL('tools/docs/schema-pages.mjs', ROOT).href)) as Pages;
  const page = toolsPage(fileURLToPath(ROOT));
  const tools = await listed();
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['add_server', 'read_result', 'run_code']),
  );
  const missing = tools.flatMap(({ name, description, inputSchema }) => {
    const section = new RegExp(`^#### ${name}\\n[^#]*`, 'm').exec(page)?.[0] ?? '';
    const rows = Object.keys(inputSchema.properties ?? {}).map((argument) => `| \`${argument}\` |`);
    return [description, ...rows].filter((text) => !section.includes(text));
  });
  expect(missing).toEqual([]);
});
