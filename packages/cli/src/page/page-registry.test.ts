import { expect, it } from 'vitest';

import { registryForPage } from './page-registry.js';

const SERVER = {
  name: 'io.github.example/mcp-server-files',
  description: 'Files',
  version: '1.2.0',
  status: 'active',
  packages: [
    {
      registryType: 'npm',
      identifier: '@example/files',
      version: '1.2.0',
      environmentVariables: [
        { name: 'FILES_TOKEN', description: 'A token', isRequired: true, isSecret: true },
        { name: 'FILES_LOG', default: 'info' },
      ],
      packageArguments: [
        { type: 'positional', valueHint: 'folder', isRequired: true },
        { type: 'named', name: '--mode', choices: ['read', 'write'], placeholder: 'read' },
        { type: 'named', name: '--depth', format: 'number' },
        { type: 'named', name: '--also', format: 'filepath', isRepeated: true },
      ],
    },
    { registryType: 'floppy', identifier: 'a' },
  ],
  remotes: [],
};

function registry(isCut = false, status = SERVER.status) {
  return registryForPage(() => ({
    search: async () => ({ servers: [SERVER], staleSince: undefined, hasMore: isCut }),
    find: async (name) => (name === SERVER.name ? { ...SERVER, status } : undefined),
  }));
}

const CHOICE = { server: SERVER.name, source: 'npm @example/files', name: 'mine', values: {}, secrets: [] };

it('a found server has the name that it gets, its inputs, and the reason why a source cannot be used', async () => {
  expect(await registry(true).search('files')).toMatchObject({
    servers: [
      {
        local: 'files',
        sources: [
          {
            label: 'npm @example/files',
            inputs: [
              { id: 'FILES_TOKEN', description: 'A token', isRequired: true, isSecret: true },
              { id: 'FILES_LOG', isRequired: false, fallback: 'info' },
              { id: 'FOLDER', isRequired: true },
              { id: 'MODE', choices: ['read', 'write'], placeholder: 'read' },
              { id: 'DEPTH', format: 'number' },
              { id: 'ALSO', format: 'filepath', isRepeated: true },
            ],
          },
        ],
        problems: ['floppy a: packages of the type floppy are not supported'],
      },
    ],
    note: 'There are more; search for more words.',
  });
});

it('an entry has the values that were typed, and refers to secrets by the name of the server', async () => {
  const choice = { ...CHOICE, values: { FOLDER: '/notes' }, secrets: ['FILES_TOKEN'] };
  expect(await registry().entry(choice)).toEqual({
    entry: {
      command: 'npx',
      args: ['-y', '@example/files@1.2.0', '/notes'],
      env: { FILES_TOKEN: '${secret:mine.FILES_TOKEN}', FILES_LOG: 'info' },
    },
  });
});

it('values are checked, and an input that takes several has each of them', async () => {
  const values = { FOLDER: '/notes', MODE: 'write', DEPTH: '2', ALSO: '/a\n/b' };
  expect(await registry().entry({ ...CHOICE, values })).toMatchObject({
    entry: {
      args: [
        '-y',
        '@example/files@1.2.0',
        '/notes',
        '--mode',
        'write',
        '--depth',
        '2',
        '--also',
        '/a',
        '--also',
        '/b',
      ],
    },
  });
  for (const [wrong, problem] of [
    [{ MODE: 'delete' }, 'MODE is one of read, write'],
    [{ DEPTH: 'deep' }, 'DEPTH is a number'],
    [{ ALSO: '/a\nb' }, 'Give the whole path'],
  ] as const)
    await expect(registry().entry({ ...CHOICE, values: { ...values, ...wrong } })).rejects.toThrow(problem);
});

it('a required input without a value refers to the environment of mcpmux', async () => {
  expect(await registry().entry(CHOICE)).toMatchObject({ entry: { env: { FILES_TOKEN: '${FILES_TOKEN}' } } });
});

it('a server or a source that the registry does not have is refused with the next step', async () => {
  await expect(registry().entry({ ...CHOICE, server: 'com.example/none' })).rejects.toThrow(
    'Search for it again.',
  );
  await expect(registry().entry({ ...CHOICE, source: 'floppy a' })).rejects.toThrow('Search for it again.');
});

it('a server that the registry has deleted since the search is refused', async () => {
  await expect(registry(false, 'deleted').entry(CHOICE)).rejects.toThrow('has deleted io.github.example');
});
