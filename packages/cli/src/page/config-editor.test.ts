import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type AppliedConfig, loadConfig } from '@mcpmux/config';
import { temporaryFolder, type TemporaryFolder } from '@mcpmux/testing/temporary-folder';
import { expect, it } from 'vitest';

import { configInForce } from '../config/config-in-force.js';
import { configEditor } from './config-editor.js';

const CONFIG = `{
  // the servers of a person
  "mcpServers": {
    "notes": { "command": "notes", "env": { "TOKEN": "hunter2hunter2" } },
    "off": { "command": "off", "disabled": true }
  }
}
`;

async function editing(folder: TemporaryFolder, keyring = { set: () => undefined as void }) {
  const file = join(folder.path, 'mcpmux.json');
  await writeFile(file, CONFIG);
  let applied = 0;
  const location = { file, origin: 'flag', folder: folder.path } as const;
  const read = (): AppliedConfig => loadConfig(location, { environment: {}, home: '/', cwd: '/' });
  let config = read();
  const reread = async (): Promise<void> => {
    config = read();
    applied += 1;
  };
  const editor = configEditor(
    location,
    configInForce(() => config),
    reread,
    keyring,
  );
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

it('a server is of the config unless its entry is disabled, or it is in a layer', async () => {
  await using folder = await temporaryFolder();
  const { editor } = await editing(folder);
  const servers = [{ name: 'notes' }, { name: 'notes', layer: 'l' }, { name: 'off' }, { name: 'other' }];
  expect(servers.map((server) => editor.has(server))).toEqual([true, false, false, false]);
});

it('a rehearsal shows the change, without secrets of other servers, and writes and applies nothing', async () => {
  await using folder = await temporaryFolder();
  const { editor, text, applied } = await editing(folder);
  const servers = { docs: { type: 'http', url: 'https://example.com/mcp' } };
  const { diff, written } = await editor.change({ kind: 'add', servers }, { isDryRun: true });
  expect(written).toBe(false);
  expect(diff.filter((line) => line.startsWith('+')).join('\n')).toContain('"docs"');
  expect(diff.join('\n')).not.toContain('hunter2');
  expect([await text(), applied()]).toEqual([CONFIG, 0]);
});

it('a rehearsal shows each argument and value of an added server but its secrets', async () => {
  await using folder = await temporaryFolder();
  const { editor } = await editing(folder);
  const args = ['--mode=fast', String.raw`C:\tools`, 'say "yes"', '--token', 's3cret-value'];
  const env = { NODE_OPTIONS: '--require /tmp/x.js', API_TOKEN: 's3cret-value' };
  const servers = { docs: { command: 'npx', args, env } };
  const { diff } = await editor.change({ kind: 'add', servers }, { isDryRun: true });
  const shown = diff.join('\n');
  for (const text of [...args.slice(0, 4), env.NODE_OPTIONS]) expect(shown).toContain(JSON.stringify(text));
  expect(shown).not.toContain('s3cret-value');
});

it('changes are written with comments left in place, and applied', async () => {
  await using folder = await temporaryFolder();
  const { editor, text, applied } = await editing(folder);
  await editor.change(
    { kind: 'add', servers: { a: { command: 'a' }, b: { command: 'b' } } },
    { isDryRun: false },
  );
  await editor.change({ kind: 'enable', name: 'off' }, { isDryRun: false });
  await editor.change({ kind: 'disable', name: 'a' }, { isDryRun: false });
  await editor.change({ kind: 'remove', name: 'b' }, { isDryRun: false });
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
  const { warnings } = await editor.change({ kind: 'add', servers }, { isDryRun: true });
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
  await expect(editor.change({ kind: 'add', servers }, { isDryRun: false })).rejects.toThrow(problem);
  await expect(editor.change({ kind: 'remove', name: 'none' }, { isDryRun: false })).rejects.toThrow(
    'no server "none"',
  );
  expect([await text(), applied()]).toEqual([CONFIG, 0]);
});

it('a change whose file has changed since the diff is refused, and nothing is written', async () => {
  await using folder = await temporaryFolder();
  const { editor, text, applied } = await editing(folder);
  const { basis } = await editor.change({ kind: 'remove', name: 'off' }, { isDryRun: true });
  await writeFile(join(folder.path, 'mcpmux.json'), `${CONFIG}\n`);
  const late = editor.change({ kind: 'remove', name: 'off' }, { isDryRun: false, basis });
  await expect(late).rejects.toThrow('Show the change again');
  expect([await text(), applied()]).toEqual([`${CONFIG}\n`, 0]);
});

const WITH_SECRET = {
  kind: 'add',
  servers: { a: { command: 'a', env: { TOKEN: '${secret:a.TOKEN}' } } },
  secrets: { 'a.TOKEN': 'hunter2hunter2' },
} as const;

it('secrets go into the keyring when the change is written, and into no file and no diff', async () => {
  await using folder = await temporaryFolder();
  const stored: string[][] = [];
  const { editor, text } = await editing(folder, { set: (...pair: string[]) => void stored.push(pair) });
  const tried = await editor.change(WITH_SECRET, { isDryRun: true });
  expect(stored).toEqual([]);
  const written = await editor.change(WITH_SECRET, { isDryRun: false, basis: tried.basis });
  expect(stored).toEqual([['a.TOKEN', 'hunter2hunter2']]);
  expect(await text()).toContain('${secret:a.TOKEN}');
  expect(JSON.stringify([tried, written])).not.toContain('hunter2');
});

it('a secret that no entry refers to, and one that the keyring does not take, stop the change', async () => {
  await using folder = await temporaryFolder();
  const { editor, text } = await editing(folder, {
    set: () => {
      throw new Error('it is locked');
    },
  });
  const foreign = { ...WITH_SECRET, secrets: { 'notes.TOKEN': 'x' } };
  await expect(editor.change(foreign, { isDryRun: false })).rejects.toThrow('No added server refers');
  await expect(editor.change(WITH_SECRET, { isDryRun: false })).rejects.toThrow('it is locked');
  expect(await text()).toBe(CONFIG);
});
