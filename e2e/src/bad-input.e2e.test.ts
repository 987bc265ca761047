import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';

import { describe, expect, it } from 'vitest';

import { CLI, NODE } from './testing/built-cli.js';
import { fixtureServer } from './testing/fixture-server.js';
import { Person, type Outcome } from './testing/person.js';

const CONFIG = join('.config', 'mcpmux', 'config.json');
const ECHO = fixtureServer('echo');

interface Envelope {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly next?: string;
    readonly details?: readonly string[];
  };
}

/** The one line that a program gets of an error. */
function envelope({ stdout, stderr }: Outcome): Envelope['error'] {
  expect(stdout).toBe('');
  expect(stderr.trim().split('\n')).toHaveLength(1);
  return (JSON.parse(stderr) as Envelope).error;
}

const NEEDS_SERVER = [
  ['get', 'ecoh'],
  ['remove', 'ecoh'],
  ['enable', 'ecoh'],
  ['disable', 'ecoh'],
  ['call', 'ecoh.echo'],
  ['doctor', 'ecoh'],
  ['inspect', 'ecoh', '--print'],
  ['export', 'ecoh'],
];

describe('a server that is not there is answered with the one that was meant, and 6', () => {
  it.each(NEEDS_SERVER)('%s %s', async (...words) => {
    await using person = await Person.arrive();
    await person.configure({ mcpServers: { echo: ECHO, other: ECHO } });
    const reported = await person.mcpmux(...words);
    expect(reported).toMatchObject({ code: 6, stdout: '' });
    expect(reported.stderr).toContain('there is no server "ecoh"');
    expect(reported.stderr).toContain('Did you mean "echo"?');
    const { code, next } = envelope(await person.mcpmux(...words, '--json'));
    expect({ code, next }).toEqual({ code: 'SERVER_NOT_FOUND', next: 'the servers are: echo, other' });
  });

  it('of several, none is changed', async () => {
    await using person = await Person.arrive();
    await person.configure({ mcpServers: { echo: ECHO } });
    const before = await person.read(CONFIG);
    expect((await person.mcpmux('remove', 'echo', 'ecoh')).code).toBe(6);
    expect(await person.read(CONFIG)).toBe(before);
  });
});

const READ = [
  ['list'],
  ['tools'],
  ['call', 'a.b'],
  ['get', 'a'],
  ['doctor'],
  ['inspect', '--print'],
  ['export'],
  ['config', 'validate'],
];
const WRITTEN = [
  ['add', 'a', '--', 'a'],
  ['remove', 'a'],
  ['enable', 'a'],
  ['disable', 'a'],
  ['import', 'cursor'],
];

describe('a config that is no JSON is told with its position, and 2; it stays as it was', () => {
  it.each([...READ, ...WRITTEN].map((words) => [words.join(' '), words] as const))('%s', async (_, words) => {
    await using person = await Person.arrive();
    const before = '{\n  "mcpServers": {\n    "a": { "command": }\n  }\n}\n';
    await person.configure(before);
    await person.write('.cursor/mcp.json', { mcpServers: { b: ECHO } });
    const reported = await person.mcpmux(...words);
    expect(reported.code).toBe(2);
    expect(reported.stdout + reported.stderr).toContain(`${person.config}:3:`);
    expect(await person.read(CONFIG)).toBe(before);
    expect(await readdir(dirname(person.config))).toEqual(['config.json']);
  });
});

describe('a config that cannot be read is told, and 2', () => {
  it.each([...READ, ...WRITTEN].map((words) => [words.join(' '), words] as const))('%s', async (_, words) => {
    await using person = await Person.arrive();
    // A folder in its place: neither absent nor readable, for root as well.
    await person.write(join(CONFIG, 'x'), '');
    await person.write('.cursor/mcp.json', { mcpServers: { b: ECHO } });
    const reported = await person.run(words, { env: { MCPMUX_CONFIG: person.config } });
    expect([2, 6]).toContain(reported.code);
    expect(reported.stdout + reported.stderr).toContain(person.config);
  });
});

describe('without a config', () => {
  it.each([['list'], ['tools'], ['get', 'a'], ['export'], ['call', 'a.b']])(
    '%s %s says how to make one',
    async (...words) => {
      await using person = await Person.arrive();
      const { code, next } = envelope(await person.mcpmux(...words.filter((word) => word !== ''), '--json'));
      expect(code).toBe('CONFIG_NOT_FOUND');
      expect(next).toContain('mcpmux init');
    },
  );
});

describe('nothing is written half', () => {
  it.each<[title: string, words: readonly string[], message: string]>([
    ['a name that no server may have', ['add', 'a__b', '--', 'x'], 'is no server name'],
    ['a name that is taken', ['add', 'echo', '--', 'x'], 'already'],
    ['nothing to run', ['add', 'x'], 'is missing'],
    ['a variable without a value', ['add', 'x', '-e', 'hunter2', '--', 'x'], 'has no "="'],
    ['a header of a command', ['add', 'x', '-H', 'A: b', '--', 'x'], '--header'],
    ['JSON that is none', ['add', 'x', '--from', '{"command"'], 'not a JSON object'],
    ['JSON of no server', ['add', 'x', '--from', '{"command":5}'], 'expected a string'],
    ['a word after the url', ['add', 'x', 'https://a.example', 'more'], 'too many'],
    ['a config twice', ['init'], 'already exists'],
    ['no client', ['install', 'cursr', '--yes'], 'Did you mean "cursor"?'],
    [
      'a folder that is not there',
      ['list', '-C', '/nowhere/at/all'],
      '/nowhere/at/all of --directory does not exist',
    ],
  ])('%s', async (_, words, message) => {
    await using person = await Person.arrive();
    await person.configure({ mcpServers: { echo: ECHO } });
    const before = await person.read(CONFIG);
    const reported = await person.mcpmux(...words);
    expect([2, 6]).toContain(reported.code);
    expect(reported.stdout).toBe('');
    expect(reported.stderr).toContain(message);
    expect(reported.stderr).not.toContain('hunter2');
    expect(await person.read(CONFIG)).toBe(before);
    const [command = '', ...rest] = words;
    expect(envelope(await person.mcpmux(command, '--json', ...rest)).message).not.toBe('');
  });

  it('a file of a client that cannot be read stays as it was, and is told with its position', async () => {
    await using person = await Person.arrive();
    const before = '{\n  "mcpServers": {\n}\n';
    await person.write('.cursor/mcp.json', before);
    for (const words of [
      ['install', 'cursor', '--yes'],
      ['uninstall', 'cursor', '--yes'],
      ['import', 'cursor'],
    ]) {
      const reported = await person.mcpmux(...words);
      expect(reported).toMatchObject({ code: 2, stdout: '' });
      expect(reported.stderr).toMatch(/mcp\.json:\d+:\d+: not valid JSON/);
    }
    expect(await person.read('.cursor/mcp.json')).toBe(before);
    expect(await readdir(join(person.home, '.cursor'))).toEqual(['mcp.json']);
  });

  it('of several clients, one that cannot be read keeps all from being written', async () => {
    await using person = await Person.arrive();
    await person.write('.cursor/mcp.json', '{ "mcpServers": {} }\n');
    await person.write('.gemini/settings.json', '{ "mcpServers": ');
    expect((await person.mcpmux('install', 'cursor', 'gemini', '--yes')).code).toBe(2);
    expect(await person.read('.cursor/mcp.json')).toBe('{ "mcpServers": {} }\n');
  });

  // root writes into each folder, and Windows has no permissions of this kind
  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'a folder that cannot be written leaves the file as it was',
    async () => {
      await using person = await Person.arrive();
      await person.configure({ mcpServers: { echo: ECHO } });
      const before = await person.read(CONFIG);
      await chmod(dirname(person.config), 0o500);
      const reported = await person.mcpmux('add', 'x', '--', 'x');
      await chmod(dirname(person.config), 0o700);
      expect(reported).toMatchObject({ code: 1, stdout: '' });
      expect(reported.stderr).toContain('it is unchanged');
      expect(await person.read(CONFIG)).toBe(before);
    },
  );
});

describe('a call is refused before anything is sent', () => {
  it.each([
    [['call', 'echo'], 2, 'SERVER.TOOL'],
    [['call', 'echo.ecoh'], 6, 'Did you mean "echo"?'],
    [['call', 'echo.echo', 'mesage=x'], 2, 'Did you mean "message"?'],
    [['call', 'echo.slow_echo', 'message=x', 'delay_ms=soon'], 2, 'must be a number'],
    [['call', 'echo.echo', '--args', '[1]'], 2, 'not a JSON object'],
    [['call', 'off.echo'], 2, 'mcpmux enable off'],
    [['call', 'unset.echo'], 2, 'MCPMUX_E2E_UNSET'],
    [['call', 'gone.echo'], 4, 'mcpmux doctor gone'],
  ])('%j', async (words, code, message) => {
    await using person = await Person.arrive();
    await person.configure({
      mcpServers: {
        echo: ECHO,
        off: { ...ECHO, disabled: true },
        unset: { ...ECHO, env: { K: '${MCPMUX_E2E_UNSET}' } },
        gone: { command: 'no-such-program' },
      },
    });
    const reported = await person.mcpmux(...words);
    expect(reported).toMatchObject({ code, stdout: '' });
    expect(reported.stderr).toContain(message);
  });
});

describe('where no mcpmux runs', () => {
  it.each([['logs'], ['reload']])('%s says so, and 4', async (command) => {
    await using person = await Person.arrive();
    await person.configure({ mcpServers: {} });
    const outcome = await person.mcpmux(command, '--json');
    expect(outcome.code).toBe(4);
    expect(envelope(outcome).code).toBe('NOT_RUNNING');
  });
});

it.skipIf(process.platform !== 'linux')(
  'a catalog where no file can be is refused at once, by what adds to it and by what serves it',
  async () => {
    await using person = await Person.arrive();
    const catalog = ['--catalog', '/proc/mcpmux/catalog.json'];
    const [added, served] = await Promise.all([
      person.mcpmux('add', 'x', ...catalog, '--json', '--', 'node'),
      person.mcpmux('serve', ...catalog),
    ]);
    expect(added.code).toBe(1);
    expect(envelope(added)).toMatchObject({ code: 'WRITE_FAILED' });
    expect(served).toMatchObject({ code: 1, stdout: '' });
    expect(served.stderr).toContain('/proc/mcpmux/catalog.json cannot be written (ENOENT)');
  },
);

it.each([['help'], ['--help'], ['list', '--help']])(
  'whoever reads only a part of the output of %s %s ends it, which is no failure',
  async (...words) => {
    const child = spawn(NODE, [CLI, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  },
);
