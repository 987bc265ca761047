import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { temporaryFolder } from '@mcpmux/testing/temporary-folder';
import { expect, it } from 'vitest';

import { readVariableRules } from './config-variables.js';

it.each([
  ['names no variable', '{ "mcpServers": {} }', []],
  ['uses a variable', '{ "mcpServers": { "a": { "command": "${SEAT}" } } }', ['SEAT']],
])('a config that %s has no rules of its own', async (_, text, named) => {
  expect(await rulesOf(text)).toEqual({ usedVariables: new Set(named) });
});

it.each(['sharedEnvironment', String.raw`shared\u0045nvironment`])(
  'a config has rules in "%s"',
  async (key) => {
    const rules = { ignore: ['MY_*'], respect: ['MY_SEAT'] };
    expect(await rulesOf(`{ "mux": { "${key}": ${JSON.stringify(rules)} } }`)).toEqual({
      ...rules,
      usedVariables: new Set(),
    });
  },
);

async function rulesOf(text: string): Promise<unknown> {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'mcpmux.json');
  writeFileSync(file, text);
  return readVariableRules({
    flag: file,
    cwd: folder.path,
    home: folder.path,
    environment: {},
    platform: 'linux',
  });
}
