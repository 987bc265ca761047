import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve as absolute } from 'node:path';
import process from 'node:process';

import { temporaryFolder } from '@mcpmux/testing/temporary-folder';
import { describe, expect, it } from 'vitest';

import { RestartBudget } from './run-relay.js';
import { findSocketProblem, sharedAddress, sharedFiles, type SharingKey } from './shared-address.js';
import { parseWindowArguments } from './window-arguments.js';
import { variablesUsedIn } from './config-variables.js';
import { sharedEnvironment } from './window-environment.js';

const PLACES = {
  environment: { MCPMUX_RUNTIME_DIR: '/run/me' },
  platform: 'linux',
  temporaryFolder: '/tmp',
  user: process.getuid?.(),
} as const;
const SHARING: SharingKey = {
  program: ['node'],
  args: [],
  folder: undefined,
  environment: {},
};

describe('the command line of a window', () => {
  it('loses --shared, and has absolute paths', () => {
    const argv = ['serve', '--shared', '--config', 'a.json', '--catalog=b.json', '--only', 'serve'];
    expect(parseWindowArguments(argv, '/here', {})).toEqual({
      args: [
        '--config',
        absolute('/here/a.json'),
        `--catalog=${absolute('/here/b.json')}`,
        '--only',
        'serve',
      ],
      isPerFolder: false,
      search: { flag: absolute('/here/b.json'), projects: false },
    });
  });

  it.each([
    [['--config', 'a.json'], { flag: absolute('/here/a.json'), projects: false }],
    [['--no-config'], { flag: false, projects: false }],
    [['--project-config'], { flag: undefined, projects: true }],
    [[], { flag: undefined, projects: false }],
  ])('%j finds its config', (argv, search) => {
    expect(parseWindowArguments(argv, '/here', {}).search).toEqual(search);
  });

  it.each([
    [['--project-config'], {}],
    [[], { MCPMUX_PROJECT_CONFIG: '1' }],
    [[], { MCPMUX_CONFIG: 'a.json' }],
  ])('is for one folder where the config depends on it: %j %j', (argv, environment) => {
    expect(parseWindowArguments(argv, '/here', environment).isPerFolder).toBe(true);
  });
});

describe('the address of a shared process', () => {
  const socketOf = (sharing: Partial<SharingKey>): string =>
    sharedAddress({ ...SHARING, ...sharing }, PLACES).socket;

  it('is the same for the same windows, and another one for any difference', () => {
    expect(socketOf({})).toBe(socketOf({}));
    const others: readonly Partial<SharingKey>[] = [
      { program: ['other-node'] },
      { args: ['--profile', 'work'] },
      { folder: '/here' },
      { environment: { A: '1' } },
      { environment: { A: '2' } },
    ];
    expect(new Set([{}, ...others].map(socketOf)).size).toBe(others.length + 1);
    expect(socketOf({})).toMatch(/^[\\/]run[\\/]me[\\/]shared-[\da-f]{20}\.sock$/);
  });

  it('holds no value of a variable', () => {
    expect(JSON.stringify(sharedAddress({ ...SHARING, environment: { T: 's3cret' } }, PLACES))).not.toContain(
      's3cret',
    );
  });

  it('depends on the variables of which the config uses the value', () => {
    const text = '{"env": {"A": "${ONE}", "B": "${env:TWO:-x}", "C": "$THREE", "D": "costs $FOUR"}}';
    expect([...variablesUsedIn(text)]).toEqual(['ONE', 'TWO', 'THREE']);
  });

  it('leaves out variables of the window', () => {
    expect(sharedEnvironment({ B: '2', A: '1', PWD: '/x', VSCODE_PID: '7', none: undefined })).toEqual({
      A: '1',
      B: '2',
    });
  });
});

it.each(['linux', 'win32'] as const)(
  'the process knows the files of its relays by its socket, on %s',
  (platform) => {
    const places = { ...PLACES, platform };
    const { socket, folder, ...files } = sharedAddress(SHARING, places);
    expect(sharedFiles(socket, places)).toEqual(files);
    expect(folder).not.toBe('');
  },
);

describe.skipIf(process.platform === 'win32')('the socket of a shared process', () => {
  it('is used if it is a socket of this user, or is not there', async () => {
    await using folder = await temporaryFolder();
    const socket = join(folder.path, 's.sock');
    expect(findSocketProblem(socket, PLACES)).toBeUndefined();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    expect(findSocketProblem(socket, PLACES)).toBeUndefined();
    expect(findSocketProblem(socket, { ...PLACES, user: 4711 })).toContain('no socket of this user');
    server.close();
  });

  it('is not used if it is anything else', async () => {
    await using folder = await temporaryFolder();
    const at = (name: string): string => join(folder.path, name);
    writeFileSync(at('file'), '');
    mkdirSync(at('folder'));
    symlinkSync(at('nowhere'), at('link'));
    expect(findSocketProblem(at('file'), PLACES)).toContain('no socket of this user');
    expect(findSocketProblem(at('folder'), PLACES)).toContain('no socket of this user');
    expect(findSocketProblem(at('link'), PLACES)).toContain('a symbolic link');
  });
});

it('a process that ends by itself is started again ten times within a minute, later each time', () => {
  const budget = new RestartBudget();
  const pauses = Array.from({ length: 11 }, (_, at) => budget.nextPauseMs(at));
  expect(pauses).toEqual([10, 20, 40, 80, 160, 320, 640, 1000, 1000, 1000, undefined]);
  expect(budget.nextPauseMs(60_100)).toBe(10);
});
