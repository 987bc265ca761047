import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import process from 'node:process';

import { describe, expect, it } from 'vitest';

import { CLI, cleanEnvironment, installedServer, NODE } from './testing/built-cli.js';
import { fixtureServer } from './testing/fixture-server.js';
import { Person, type Outcome } from './testing/person.js';

const ECHO = fixtureServer('echo');
const EVERYTHING = installedServer('@modelcontextprotocol/server-everything');
const FILESYSTEM = installedServer('@modelcontextprotocol/server-filesystem');
const SECRET = 'hunter2-of-the-config';
// on Windows the name means the Linux of WSL
const hasBash = process.platform !== 'win32' && spawnSync('bash', ['--version']).status === 0;

async function withEcho(): Promise<Person> {
  const person = await Person.arrive();
  await person.configure({ mcpServers: { echo: { ...ECHO, env: { TOKEN: SECRET } } } });
  return person;
}

/** What a program gets: one JSON value on stdout, and nothing else anywhere. */
function dataOf({ stdout, stderr, code }: Outcome): unknown {
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  return JSON.parse(stdout);
}

describe('with --json every command prints one value on stdout and nothing on stderr', () => {
  it.each([
    ['list', ['list'], { servers: [{ name: 'echo', status: 'ready' }] }],
    ['list --check', ['list', '--check'], { servers: [{ name: 'echo', status: 'running' }] }],
    ['list without starting', ['list', '--no-start'], { servers: [{ name: 'echo', status: 'ready' }] }],
    ['list --all', ['list', '--all'], []],
    ['tools', ['tools'], [{ server: 'echo', original_name: 'echo', name: 'echo__echo' }, {}]],
    ['tools of a server', ['tools', 'echo'], [{ server: 'echo' }, {}]],
    ['call', ['call', 'echo.echo', 'message=hi'], { content: [{ type: 'text', text: 'hi' }] }],
    ['get', ['get', 'echo'], { name: 'echo', status: 'ready', entry: { env: { TOKEN: '***' } } }],
    [
      'doctor',
      ['doctor', 'echo'],
      { findings: [{ subject: 'node' }, { subject: 'config' }, { subject: 'echo', level: 'ok' }] },
    ],
    ['add', ['add', 'x', '--', 'x'], { name: 'x', written: true }],
    ['add --dry-run', ['add', 'x', '--dry-run', '--', 'x'], { name: 'x', written: false }],
    ['remove', ['remove', 'echo'], { removed: ['echo'], written: true }],
    ['disable', ['disable', 'echo'], { names: ['echo'], on: false, written: true }],
    ['enable', ['enable', 'echo'], { names: ['echo'], on: true, written: false }],
    ['export', ['export'], { mcpServers: { echo: {} } }],
    ['version', ['version'], { version: expect.stringMatching(/^\d/) as string }],
    ['install', ['install', 'cursor', '--yes'], [{ client: 'cursor', written: true }]],
    ['uninstall', ['uninstall', '--yes'], []],
    ['inspect', ['inspect', 'echo'], { command: expect.arrayContaining(['--only', 'echo']) as string[] }],
    ['config path', ['config', 'path'], { origin: 'user' }],
    ['config validate', ['config', 'validate'], { valid: true }],
  ])('%s', async (_, words, expected) => {
    await using person = await withEcho();
    const [command = '', ...rest] = words;
    const isNested = command === 'config';
    const data = dataOf(await person.run(isNested ? [...words, '--json'] : [command, '--json', ...rest]));
    expect(data).toMatchObject(expected);
  });

  it('init', async () => {
    await using person = await Person.arrive();
    expect(await person.json('init')).toEqual({ file: person.config, written: true });
  });

  it('import', async () => {
    await using person = await Person.arrive();
    await person.write('.cursor/mcp.json', { mcpServers: { echo: ECHO } });
    expect(await person.json('import')).toMatchObject({
      file: person.config,
      written: true,
      servers: [{ client: 'cursor', name: 'echo', result: 'added', as: 'echo' }],
    });
  });
});

describe('for people', () => {
  it('data is on stdout alone, what is said about it on stderr', async () => {
    await using person = await withEcho();
    const called = await person.mcpmux('call', 'echo.echo', 'message=hi');
    expect(called).toEqual({ stdout: 'hi\n', stderr: '', code: 0 });
    const added = await person.mcpmux('add', 'more', '--', 'x');
    expect(added).toMatchObject({ stdout: '', code: 0 });
    expect(added.stderr).toContain('Added more');
    const listed = await person.mcpmux('list', '--tools');
    expect(listed.stdout).toContain('echo__echo');
    expect(listed.stderr).toContain('Next: mcpmux doctor more');
  });

  it('--quiet leaves data and errors', async () => {
    await using person = await withEcho();
    expect(await person.mcpmux('add', 'more', '--quiet', '--', 'x')).toEqual({
      stdout: '',
      stderr: '',
      code: 0,
    });
    expect((await person.mcpmux('get', 'nobody', '--quiet')).stderr).toContain('no server "nobody"');
  });

  it('values of variables and headers are shown by no command', async () => {
    await using person = await withEcho();
    await person.write('.cursor/mcp.json', '{\n  "mcpServers": {}\n}\n');
    const outcomes = [
      await person.mcpmux('list', '--tools'),
      await person.mcpmux('list', '--json'),
      await person.mcpmux('get', 'echo'),
      await person.mcpmux('get', 'echo', '--json'),
      await person.mcpmux('doctor'),
      await person.mcpmux('add', 'two', '-e', `T=${SECRET}`, '--dry-run', '--', 'x'),
      await person.mcpmux(
        'add',
        'far',
        'https://x.example/mcp',
        '-H',
        `Authorization: Bearer ${SECRET}`,
        '--dry-run',
      ),
      await person.mcpmux('disable', 'echo', '--dry-run'),
      await person.mcpmux('remove', 'echo', '--dry-run'),
    ];
    for (const { stdout, stderr } of outcomes) expect(stdout + stderr).not.toContain(SECRET);
    expect(outcomes[2]?.stdout).toContain('TOKEN=***');
    expect(outcomes[5]?.stderr).toContain('"T": "***"');
  });
});

describe('a config is edited', () => {
  it('in its own words: comments, order and layout stay', async () => {
    await using person = await Person.arrive();
    const before =
      '{\n  // of the team\n  "mcpServers": {\n    "a": { "command": "a" }, // first\n    "b": { "command": "b" }\n  }\n}\n';
    await person.configure(before);
    await person.mcpmux('add', 'c', '-e', 'K=${KEY}', '--cwd', '/tmp', '--', 'c', '--flag', 'two words');
    const added = await person.read('.config/mcpmux/config.json');
    expect(added).toContain('// of the team');
    expect(added).toContain('"a": { "command": "a" }, // first');
    expect(JSON.parse(added.replaceAll(/\/\/.*/g, ''))).toMatchObject({
      mcpServers: { c: { command: 'c', args: ['--flag', 'two words'], env: { K: '${KEY}' }, cwd: '/tmp' } },
    });
    await person.mcpmux('remove', 'c');
    expect(await person.read('.config/mcpmux/config.json')).toBe(before);
    await person.mcpmux('disable', 'a');
    expect(await person.json('list', '--no-start')).toMatchObject({
      servers: [{ status: 'disabled' }, { status: 'ready' }],
    });
    await person.mcpmux('enable', 'a');
    expect(await person.read('.config/mcpmux/config.json')).toBe(before);
  });

  it('--config names another, which is made, for commands that read and that write; --catalog is its old name', async () => {
    await using person = await Person.arrive();
    await person.mcpmux('add', 'a', '--catalog', 'mine.json', '--', 'a');
    expect(JSON.parse(await person.read('mine.json'))).toMatchObject({ mcpServers: { a: { command: 'a' } } });
    const added = await person.mcpmux('add', 'b', '--config', 'mine.json', '--', 'node');
    expect(added).toMatchObject({ code: 0, stdout: '' });
    expect(added.stderr).toContain(`Next: mcpmux tools b --config ${person.home}/mine.json`);
    expect(await person.json('list', '--no-start', '--config', 'mine.json')).toMatchObject({
      servers: [{ name: 'a' }, { name: 'b' }],
    });
  });

  it('by five commands at once, and each of their servers is there', async () => {
    await using person = await Person.arrive();
    const names = Array.from({ length: 5 }, (_, index) => `server${index}`);
    const adds = await Promise.all(names.map((name) => person.mcpmux('add', name, '--', 'node', name)));
    expect(adds.map(({ code }) => code)).toEqual(names.map(() => 0));
    const { mcpServers } = JSON.parse(await readFile(person.config, 'utf8')) as { mcpServers: object };
    expect(new Set(Object.keys(mcpServers))).toEqual(new Set(names));
  });

  it('that of a project counts when it was asked for', async () => {
    await using person = await Person.arrive();
    await person.configure({ mcpServers: { mine: ECHO } });
    await person.mcpmux('init', '--scope', 'project');
    await person.mcpmux('add', 'theirs', '--scope', 'project', '--', NODE);
    const names = async (...words: readonly string[]): Promise<readonly string[]> => {
      const { servers } = (await person.json('list', '--no-start', ...words)) as {
        readonly servers: readonly { readonly name: string }[];
      };
      return servers.map(({ name }) => name);
    };
    expect(await names()).toEqual(['mine']);
    expect((await person.mcpmux('list', '--no-start')).stderr).toContain('mcpmux.json is not used');
    expect(await names('--project-config')).toEqual(['theirs']);
    const found = await person.run(['list', '--no-start', '--json'], { env: { MCPMUX_PROJECT_CONFIG: '1' } });
    expect(JSON.parse(found.stdout)).toMatchObject({ servers: [{ name: 'theirs' }] });
  });
});

describe('a tool is called', () => {
  it('call finds a tool that the config hides', async () => {
    await using person = await Person.arrive();
    const mux = { tools: { echo: { hidden: true } } };
    await person.configure({ mcpServers: { echo: { ...ECHO, mux } } });
    expect(JSON.parse((await person.mcpmux('tools', 'echo', '--json')).stdout)).not.toContainEqual(
      expect.objectContaining({ original_name: 'echo' }),
    );
    await expect(person.mcpmux('call', 'echo.echo', 'message=hi')).resolves.toMatchObject({
      code: 0,
      stdout: expect.stringContaining('hi') as string,
    });
  });

  it('with arguments from stdin', async () => {
    await using person = await withEcho();
    const words = ['call', 'echo.echo', '--args', '-'];
    expect(await person.run(words, { input: '{"message":"from stdin"}' })).toMatchObject({
      stdout: 'from stdin\n',
      code: 0,
    });
  });

  it('not at all, with arguments that do not fit its schema, which ends with 2', async () => {
    await using person = await Person.arrive();
    await person.configure({ mcpServers: { every: { command: NODE, args: [EVERYTHING] } } });
    const outcome = await person.mcpmux('call', 'every.get-sum', '--args', '{"a":"one"}');
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toContain('every.get-sum');
  });

  it('and its own error ends with 5', async () => {
    await using person = await Person.arrive();
    const files = { command: NODE, args: [FILESYSTEM, person.home] };
    await person.configure({ mcpServers: { files } });
    const outcome = await person.mcpmux('call', 'files.read_text_file', 'path=missing.txt');
    expect(outcome).toMatchObject({ code: 5, stdout: '' });
    expect(outcome.stderr).toContain('missing.txt');
  });
});

it('completions are printed for shells, and name servers and clients', async () => {
  await using person = await withEcho();
  for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
    const { stdout, code } = await person.mcpmux('completion', shell);
    expect({ shell, code, isScript: stdout.includes('mcpmux') }).toEqual({ shell, code: 0, isScript: true });
  }
  expect((await person.mcpmux('complete', '--', 'ge')).stdout).toContain('get');
  expect((await person.mcpmux('complete', '--', 'get', '')).stdout).toContain('echo');
  expect((await person.mcpmux('complete', '--', 'install', 'cu')).stdout).toContain('cursor');
});

it.each<readonly [string, readonly string[], string]>([
  ['the tools of a server', ['call', 'echo.e'], 'echo.echo'],
  ['the servers of an alias of a command', ['rm', ''], 'echo'],
  ['the options of an alias', ['ls', '--ch'], '--check'],
  ['the client of an option', ['export', '--client', 'cu'], 'cursor'],
  ['a profile', ['serve', '--profile', ''], 'work'],
  ['a scope', ['list', '--scope', ''], 'project'],
  ['a folder', ['list', '-C', 'sub'], 'sub/'],
  ['the servers of another config', ['get', '--config', 'sub/other.json', ''], 'elsewhere'],
])('completions know %s', async (_, words, offered) => {
  await using person = await Person.arrive();
  await person.configure({ mcpServers: { echo: ECHO }, profiles: { work: ['echo'] } });
  await person.write('sub/other.json', { mcpServers: { elsewhere: ECHO } });
  await person.mcpmux('tools');
  const { stdout } = await person.mcpmux('complete', '--', ...words);
  expect(stdout.split('\n').map((line) => line.split('\t')[0])).toContain(offered);
});

it.skipIf(!hasBash)('bash completes without the package bash-completion', async () => {
  await using person = await withEcho();
  const script = `
    mcpmux() { '${NODE}' '${CLI}' "$@"; }
    # bash refuses it outside of a completion by a key
    compopt() { :; }
    eval "$(mcpmux completion bash)"
    COMP_LINE='mcpmux get ec'; COMP_POINT=13; COMP_WORDS=(mcpmux get ec); COMP_CWORD=2
    __mcpmux_complete
    echo "offered: \${COMPREPLY[*]}"`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], {
    cwd: person.home,
    env: cleanEnvironment(person.environment),
    encoding: 'utf8',
  });
  expect({ stdout, stderr }).toEqual({ stdout: 'offered: echo\n', stderr: '' });
});
