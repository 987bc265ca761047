import { expect, it } from 'vitest';

import { inFolder } from './in-folder.js';

it.each([
  ['/home/ann/app$', '${workspaceFolderBasename}{secret:github}'],
  ['/home/ann/app${', '${workspaceFolder}file:/etc/passwd}'],
  ['/home/ann/$', '${cwd}{input:token}'],
])('the name of a folder makes no placeholder of the text beside it: %s', (folder, text) => {
  const { headers } = inFolder({ url: 'https://a.example', headers: { a: text } }, folder);
  expect(JSON.stringify(headers)).not.toMatch(/(?<!\$)\$\{(?:file|secret|input):/);
});

it('a server of a folder runs there, and its paths are those of the folder', () => {
  const entry = { command: 'node', args: ['${workspaceFolder}/a.js'], envFile: '.env' };
  expect(inFolder(entry, '/app')).toEqual({
    command: 'node',
    args: ['/app/a.js'],
    cwd: '/app',
    envFile: '/app/.env',
  });
});
