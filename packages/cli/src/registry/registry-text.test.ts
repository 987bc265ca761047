import { loadConfig } from '@mcpmux/config';
import { temporaryFolder } from '@mcpmux/testing/temporary-folder';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { filledText } from './registry-text.js';

const SECRET = 'a secret of the person';
const given = (value: string) => (): { readonly given: string } => ({ given: value });

/** Returns an argument of a server as the config resolves it. */
async function resolved(text: string): Promise<string> {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'mcpmux.json');
  await writeFile(file, JSON.stringify({ mcpServers: { a: { command: 'a', args: [text] } } }));
  const keyring = { get: () => SECRET };
  const context = { environment: { TOKEN: SECRET }, home: folder.path, cwd: folder.path, keyring };
  return JSON.stringify(loadConfig({ file, origin: 'flag', folder: folder.path }, context).servers);
}

it.each([
  ['a value that opens a placeholder after a dollar', '${e}', '{secret:github}'],
  ['a value that ends before the name of a variable', '${e}TOKEN', ''],
  ['a value inside a placeholder', '${secret:{e}}', 'github'],
])('%s refers to nothing of the person', async (_, text, value) => {
  expect(await resolved(filledText(text, given(value)))).not.toContain(SECRET);
});

it('a value that a person gives may refer to a secret', async () => {
  expect(await resolved(filledText('Bearer {token}', given('${secret:mine}')))).toContain(SECRET);
});
