import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryFolder, type TemporaryFolder } from '@mcpmux/testing/temporary-folder';
import { expect, it } from 'vitest';

import { configEditor } from './config-editor.js';

const CONFIG = `{
  // the servers of a person
  "mcpServers": {
    "notes": { "command": "notes", "env": { "TOKEN": "hunter2hunter2" } },
    "off": { "command": "off", "disabled": true }
  }
}
`;

async function editing(folder: TemporaryFolder) {
  const file = join(folder.path, 'mcpmux.json');
  await writeFile(file, CONFIG);
  let applied = 0;
  const location = { file, origin: 'flag', folder: folder.path } as const;
  const editor = configEditor(location, async () => (applied += 1));
  return { editor, text: () => readFile(file, 'utf8'), applied: () => applied };
}

it('the entries are those of the config, with what keeps them from running', async () => {
  await using folder = await temporaryFolder();
  const { editor } = await editing(folder);
  expect(editor.entries()).toEqual([
    { name: 'notes', status: 'ready' },
    { name: 'off', status: 'disabled' },
  ]);
});

it('a rehearsal shows the change, without secrets of other servers, and writes and applies nothing', async () => {
  await using folder = await temporaryFolder();
  const { editor, text, applied } = await editing(folder);
  const servers = { docs: { type: 'http', url: 'https://example.com/mcp' } };
  const { diff, written } = await editor.change({ kind: 'add', servers }, true);
  expect(written).toBe(false);
  expect(diff.filter((line) => line.startsWith('+')).join('\n')).toContain('"docs"');
  expect(diff.join('\n')).not.toContain('hunter2');
  expect([await text(), applied()]).toEqual([CONFIG, 0]);
});

it('changes are written with comments left in place, and applied', async () => {
  await using folder = await temporaryFolder();
  const { editor, text, applied } = await editing(folder);
  await editor.change({ kind: 'add', servers: { a: { command: 'a' }, b: { command: 'b' } } }, false);
  await editor.change({ kind: 'enable', name: 'off' }, false);
  await editor.change({ kind: 'disable', name: 'a' }, false);
  await editor.change({ kind: 'remove', name: 'b' }, false);
  expect(applied()).toBe(4);
  expect(await text()).toContain('// the servers of a person');
  expect(editor.entries()).toEqual([
    { name: 'notes', status: 'ready' },
    { name: 'off', status: 'ready' },
    { name: 'a', status: 'disabled' },
  ]);
});

it('a secret in plain text is told before it is written', async () => {
  await using folder = await temporaryFolder();
  const { editor } = await editing(folder);
  const servers = { a: { command: 'a', env: { API_TOKEN: 'hunter2hunter2' } } };
  const { warnings } = await editor.change({ kind: 'add', servers }, true);
  expect(warnings.join('')).toContain('API_TOKEN');
  expect(warnings.join('')).not.toContain('hunter2');
});

it.each([
  ['a name that is taken', { notes: { command: 'x' } }, 'already has a server'],
  ['a name that no server may have', { a__b: { command: 'x' } }, 'no server name'],
  ['an entry that is no object', { a: 'npx' }, 'not an object'],
  ['an entry with a wrong value', { a: { command: 7 } }, 'invalid'],
  ['one wrong entry of several', { a: { command: 'a' }, b: [] }, 'not an object'],
])('%s is refused, and nothing is written', async (_, servers, problem) => {
  await using folder = await temporaryFolder();
  const { editor, text, applied } = await editing(folder);
  await expect(editor.change({ kind: 'add', servers }, false)).rejects.toThrow(problem);
  await expect(editor.change({ kind: 'remove', name: 'none' }, false)).rejects.toThrow('no server "none"');
  expect([await text(), applied()]).toEqual([CONFIG, 0]);
});
