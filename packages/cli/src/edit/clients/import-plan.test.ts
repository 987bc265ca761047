import { join, resolve } from 'node:path';

import { expect, it } from 'vitest';
import { CLIENTS, type ClientServer, type JsonObject } from '@mcpmux/clients';
import { ImportPlan, withWorkingFolder } from './import-plan.js';

const [client] = CLIENTS;
if (client === undefined) throw new TypeError('there is no client');

function server(name: string, entry: JsonObject): ClientServer {
  return { name, entry, path: ['servers', name] };
}

it('takes what is new, leaves what is there, renames what is another of that name, and skips itself', () => {
  const plan = new ImportPlan([['files', { command: 'files' }]]);
  plan.addServer(client, server('same-under-another-name', { command: 'files' }));
  plan.addServer(client, server('files', { command: 'other' }));
  plan.addServer(client, server('Files', { command: 'third' }));
  plan.addServer(client, server('git', { command: 'git' }));
  plan.addServer(client, server('git', { command: 'git' }));
  plan.addServer(client, server('mux', { command: 'mcpmux' }));
  plan.addServer(client, server('empty', {}));
  expect(plan.steps.map(({ name, result, configName }) => [name, result, configName])).toEqual([
    ['same-under-another-name', 'same', 'files'],
    ['files', 'added', 'files-2'],
    ['Files', 'added', 'Files-3'],
    ['git', 'added', 'git'],
    ['git', 'same', 'git'],
    ['mux', 'own', undefined],
    ['empty', 'unusable', undefined],
  ]);
});

it('the same server for two accounts is taken twice', () => {
  const plan = new ImportPlan([]);
  plan.addServer(client, server('work', { command: 'gh', env: { TOKEN: 'a' } }));
  plan.addServer(client, server('home', { command: 'gh', env: { TOKEN: 'b' } }));
  expect(plan.steps.map(({ result }) => result)).toEqual(['added', 'added']);
});

it('names as long as a name may be are told apart all the same', () => {
  const plan = new ImportPlan([]);
  const name = 'x'.repeat(300);
  for (const command of ['a', 'b']) plan.addServer(client, server(name, { command }));
  expect(plan.steps.map(({ configName }) => configName?.slice(-2))).toEqual(['xx', '-2']);
});

it('a server that bears the name of mcpmux itself gets another', () => {
  const plan = new ImportPlan([]);
  for (const name of ['mcpmux', 'McpMux']) plan.addServer(client, server(name, { command: `run-${name}` }));
  expect(plan.steps.map(({ configName }) => configName)).toEqual(['mcpmux-2', 'McpMux-3']);
});

it('a server of a folder is taken with a yes alone, and keeps its folder', () => {
  const folder = resolve('/r');
  const entry = { command: 'node', args: ['${workspaceFolder}/x.js'], envFile: '.env' };
  const isConfirmed = ({ name }: ClientServer): boolean => name !== 'evil';
  const plan = new ImportPlan([['own', { command: 'own' }]], { isConfirmed, rewritesPaths: true });
  plan.addServer(client, { ...server('evil', { command: 'touch' }), folder });
  plan.addServer(client, { ...server('good', entry), folder });
  plan.addServer(client, { ...server('below', { command: 'x', cwd: 'sub' }), folder });
  plan.addServer(client, { ...server('own', { command: 'own' }), folder });
  expect(plan.steps.map(({ result, entry: taken }) => [result, taken])).toEqual([
    ['unconfirmed', undefined],
    ['added', { command: 'node', args: [`${folder}/x.js`], envFile: join(folder, '.env'), cwd: folder }],
    ['added', { command: 'x', cwd: join(folder, 'sub') }],
    ['same', undefined],
  ]);
});

it.each([
  ['/home/ann/app$', '${workspaceFolderBasename}{secret:github}'],
  ['/home/ann/app${', '${workspaceFolder}file:/etc/passwd}'],
  ['/home/ann/$', '${cwd}{input:token}'],
])('the name of a folder makes no placeholder of the text beside it: %s', (folder, text) => {
  const { headers } = withWorkingFolder({ url: 'https://a.example', headers: { a: text } }, folder);
  expect(JSON.stringify(headers)).not.toMatch(/(?<!\$)\$\{(?:file|secret|input):/);
});

it('a server of a folder runs there, and its paths are those of the folder', () => {
  const entry = { command: 'node', args: ['${workspaceFolder}/a.js'], envFile: '.env' };
  const folder = resolve('/app');
  expect(withWorkingFolder(entry, folder)).toEqual({
    command: 'node',
    args: [`${folder}/a.js`],
    cwd: folder,
    envFile: join(folder, '.env'),
  });
});
