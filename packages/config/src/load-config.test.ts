import { resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { ConfigLocation } from './find-config.js';
import { loadConfig } from './load-config.js';
import type { LoadedConfig } from './loaded-config.js';
import { CLIENT_CONFIGS, CLIENT_ENVIRONMENT } from './testing/client-configs.js';

const FOLDER = resolve('/home/ann/app');
const LOCATION: ConfigLocation = { file: resolve(FOLDER, 'mcpmux.json'), origin: 'project', folder: FOLDER };

interface Given {
  readonly environment?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

function load(
  config: string | object,
  { environment = {}, files = {}, cwd = FOLDER }: Given = {},
): LoadedConfig {
  const text = typeof config === 'string' ? config : JSON.stringify(config, undefined, 2);
  const all = new Map(Object.entries(files).map(([path, content]) => [resolve(FOLDER, path), content]));
  return loadConfig(LOCATION, { environment, home: '/home/ann', cwd }, (path) => {
    const content = path === LOCATION.file ? text : all.get(path);
    if (content === undefined) throw Object.assign(new Error('absent'), { code: 'ENOENT' });
    return content;
  });
}

function statuses({ servers }: LoadedConfig): Readonly<Record<string, string>> {
  return Object.fromEntries(servers.map(({ name, status }) => [name, status]));
}

function configOf({ servers }: LoadedConfig, name: string): unknown {
  const server = servers.find((each) => each.name === name);
  return server?.status === 'ready' ? server.config : undefined;
}

describe('a block as clients write it', () => {
  it.each(CLIENT_CONFIGS)('works unchanged: $client', ({ text, servers }) => {
    const loaded = load(text, { environment: CLIENT_ENVIRONMENT });
    expect(statuses(loaded)).toEqual(servers);
    expect(loaded.problems).toEqual([]);
  });

  it('has the variables of Gemini CLI and of Cursor replaced', () => {
    const environment = { A: '1', B: '2' };
    const env = { WHOLE: '$A', PART: 'x $A', CURSOR: '${env:B}' };
    const loaded = load({ mcpServers: { x: { command: 'x', env } } }, { environment });
    expect(configOf(loaded, 'x')).toMatchObject({ env: { WHOLE: '1', PART: 'x $A', CURSOR: '2' } });
  });

  it('has both lists of servers taken', () => {
    const loaded = load({ mcpServers: { a: { command: 'a' } }, servers: { b: { command: 'b' } } });
    expect(statuses(loaded)).toEqual({ a: 'ready', b: 'ready' });
  });
});

describe('a server that is ready', () => {
  it('has placeholders replaced in command, args, env and cwd', () => {
    const server = { command: '${T}/bin', args: ['--dir=${T}', 'b'], env: { K: 'v${T}' }, cwd: '${T}' };
    const loaded = load({ mcpServers: { x: server } }, { environment: { T: '/t' } });
    expect(configOf(loaded, 'x')).toEqual({
      command: '/t/bin',
      args: ['--dir=/t', 'b'],
      env: { K: 'v/t' },
      cwd: resolve('/t'),
    });
  });

  it('runs where mcpmux runs, or in the folder of a config further up', () => {
    const config = { mcpServers: { x: { command: 'x' }, y: { command: 'y', cwd: 'sub' } } };
    expect(configOf(load(config), 'x')).not.toHaveProperty('cwd');
    const fromBelow = load(config, { cwd: resolve(FOLDER, 'deep') });
    expect(configOf(fromBelow, 'x')).toMatchObject({ cwd: FOLDER });
    expect(configOf(fromBelow, 'y')).toMatchObject({ cwd: resolve(FOLDER, 'sub') });
  });

  it('F15: has a leading ~ of its program, its folder and its envFile expanded, and no other', () => {
    const server = { command: '~/bin/run', args: ['~/x'], cwd: '~', envFile: '~/all.env', env: { P: '~/x' } };
    const files = { '/home/ann/all.env': 'A=1' };
    const loaded = load({ mcpServers: { x: server, y: { command: '~ann/run', cwd: '~/d' } } }, { files });
    expect(configOf(loaded, 'x')).toMatchObject({
      command: '/home/ann/bin/run',
      args: ['~/x'],
      cwd: resolve('/home/ann'),
      env: { A: '1', P: '~/x' },
    });
    expect(configOf(loaded, 'y')).toMatchObject({ command: '~ann/run', cwd: resolve('/home/ann/d') });
  });

  it('takes its envFile, over which env wins', () => {
    const server = { command: 'x', envFile: '.env', env: { B: 'env' } };
    const files = { '.env': '# comment\nA=file\nB=file\n' };
    expect(configOf(load({ mcpServers: { x: server } }, { files }), 'x')).toMatchObject({
      env: { A: 'file', B: 'env' },
    });
  });

  it('reads ${file:} beside the config', () => {
    const server = { command: 'x', env: { A: '${file:secret.txt}' } };
    const loaded = load({ mcpServers: { x: server } }, { files: { 'secret.txt': 'abc\n' } });
    expect(configOf(loaded, 'x')).toMatchObject({ env: { A: 'abc' } });
  });
});

describe('a fault in one server', () => {
  const fine = { command: 'fine' };

  it('is that of a missing variable: named, with its place, and no other server concerned', () => {
    const loaded = load({ mcpServers: { bad: { command: 'x', env: { A: '${NO_A} ${NO_B}' } }, fine } });
    expect(statuses(loaded)).toEqual({ bad: 'misconfigured', fine: 'ready' });
    expect(loaded.problems).toEqual([
      expect.objectContaining({ line: 6, column: 9, message: 'the environment variable NO_A is not set' }),
      expect.objectContaining({ line: 6, column: 9, message: 'the environment variable NO_B is not set' }),
    ]);
  });

  it('is its reason: every error of it with its place, and where variables come from', () => {
    const loaded = load({
      mcpServers: { bad: { command: 'x', env: { A: '${NO_A}' }, args: ['${NO_B}'] }, fine },
    });
    const [bad] = loaded.servers;
    const problem = bad?.status === 'misconfigured' ? bad.problem : '';
    expect(problem).toContain('mcpServers.bad.env.A: the environment variable NO_A is not set (');
    expect(problem).toContain('mcpServers.bad.args[0]: the environment variable NO_B is not set (');
    expect(problem).toContain('mcpmux doctor');
  });

  it.each([
    ['no command and no url', {}, 'mcpServers.bad', 'expected "command"'],
    [
      'an argument of a tool with two settings',
      { command: 'x', mux: { tools: { find: { arguments: { a: { value: 1, default: 2 } } } } } },
      'mcpServers.bad.mux.tools.find.arguments.a',
      'expected one of "value", "default" and "hidden": true',
    ],
    ['a number as command', { command: 5 }, 'mcpServers.bad.command', 'expected a string in double quotes'],
    ['an empty command', { command: '' }, 'mcpServers.bad.command', 'not empty'],
    [
      'args in one text',
      { command: 'x', args: '-y x' },
      'mcpServers.bad.args',
      'expected an array of strings',
    ],
    ['a number among args', { command: 'x', args: ['a', 5] }, 'mcpServers.bad.args[1]', 'expected a string'],
    [
      'a number in env',
      { command: 'x', env: { P: 80 } },
      'mcpServers.bad.env.P',
      'expected a string in double quotes',
    ],
    ['a type nobody has', { command: 'x', type: 'pipe' }, 'mcpServers.bad.type', 'expected one of stdio'],
    [
      'a text as disabled',
      { command: 'x', disabled: 'no' },
      'mcpServers.bad.disabled',
      'expected true or false',
    ],
    ['a text as server', 'npx x', 'mcpServers.bad', 'expected an object'],
    [
      'an unreadable envFile',
      { command: 'x', envFile: 'no.env' },
      'mcpServers.bad.envFile',
      'cannot be read',
    ],
    ['an unreadable file', { command: 'x', cwd: '${file:no}' }, 'mcpServers.bad.cwd', 'file no of'],
    ['a url of another kind', { url: 'htp:/example.com' }, 'mcpServers.bad', 'begins with http://'],
    [
      'a header that cannot be sent',
      { url: 'https://example.com', headers: { 'a b': 'x' } },
      'mcpServers.bad',
      'headers: "a b"',
    ],
  ])('is told with what was expected: %s', (_, bad, path, message) => {
    const loaded = load({ mcpServers: { bad, fine } });
    expect(loaded.isUsable).toBe(true);
    expect(statuses(loaded)).toEqual({ bad: 'misconfigured', fine: 'ready' });
    expect(loaded.problems).toEqual([
      expect.objectContaining({
        severity: 'error',
        path,
        message: expect.stringContaining(message) as string,
      }),
    ]);
  });

  it('never shows the value that is wrong', () => {
    const bad = { command: 'x', type: 'hunter2-type', env: { A: ['hunter2'] }, disabled: 'hunter2' };
    expect(JSON.stringify(load({ mcpServers: { bad } }).problems)).not.toContain('hunter2');
  });
});

describe('a fault of the whole file', () => {
  it.each([
    ['no JSON', 'mcpServers: {}', 'not valid JSON'],
    ['a list', '[]', 'expected an object'],
    ['a list of servers', '{"mcpServers": []}', 'expected an object of servers'],
    ['null for servers', '{"mcpServers": null}', 'expected an object of servers'],
    ['nothing', '', 'not valid JSON'],
  ])('leaves nothing to use: %s', (_, text, message) => {
    const loaded = load(text);
    expect(loaded).toMatchObject({ isUsable: false, servers: [] });
    expect(loaded.problems[0]?.message).toContain(message);
  });

  it('is that it cannot be read', () => {
    const loaded = loadConfig(LOCATION, { environment: {}, home: '/', cwd: FOLDER }, () => {
      throw new Error('EACCES');
    });
    expect(loaded).toMatchObject({ isUsable: false, problems: [{ file: LOCATION.file, severity: 'error' }] });
  });
});

describe('names', () => {
  it('that no server may have are fitted', () => {
    const command = 'x';
    const loaded = load({ mcpServers: { my__server_: { command }, ' Sequential Thinking ': { command } } });
    expect(Object.keys(statuses(loaded))).toEqual(['my_server', 'Sequential Thinking']);
  });

  it('are set by mux.name', () => {
    const loaded = load({ mcpServers: { 'github.com/x/y': { command: 'x', mux: { name: 'y' } } } });
    expect(statuses(loaded)).toEqual({ y: 'ready' });
  });

  it('that are the same for mcpmux are refused but for the first', () => {
    const loaded = load({ mcpServers: { Git: { command: 'x' }, git: { command: 'y' } } });
    expect(loaded.servers.map(({ status }) => status)).toEqual(['ready', 'misconfigured']);
    expect(loaded.problems).toMatchObject([{ path: 'mcpServers.git', severity: 'error' }]);
  });

  it('of a disabled server are free', () => {
    const loaded = load({ mcpServers: { Git: { command: 'x', enabled: false }, git: { command: 'y' } } });
    expect(loaded.servers.map(({ status }) => status)).toEqual(['disabled', 'ready']);
  });

  it.each(['___', 'a\u0007b'])('that cannot be fitted make the server misconfigured: %j', (key) => {
    expect(load({ mcpServers: { [key]: { command: 'x' } } }).servers).toMatchObject([
      { status: 'misconfigured' },
    ]);
  });
});

describe('warnings', () => {
  it('come once for each unknown key, with what was meant', () => {
    const server = { command: 'x', agrs: [], colour: 'red' };
    const loaded = load({ mcpServers: { a: server, b: server }, mcpServer: {} });
    expect(loaded.problems.map(({ path, message }) => [path, message])).toEqual([
      ['mcpServers.a.agrs', 'unknown key, ignored. Did you mean "args"?'],
      ['mcpServers.a.colour', 'unknown key, ignored'],
      ['mcpServer', 'unknown key, ignored. Did you mean "mcpServers"?'],
    ]);
    expect(statuses(loaded)).toEqual({ a: 'ready', b: 'ready' });
  });

  it('G6: are errors for a permission that nobody knows, and the server is not started', () => {
    const server = (denyRequests: unknown): object => ({ command: 'x', mux: { denyRequests } });
    const loaded = load({ mcpServers: { a: server(['sampling']), b: server(['everything']) } });
    expect(loaded.servers).toMatchObject([
      { name: 'a', status: 'ready', config: { denyRequests: ['sampling'] } },
      { name: 'b', status: 'misconfigured' },
    ]);
    expect(loaded.problems).toMatchObject([{ message: 'expected one of sampling, elicitation, roots' }]);
  });

  it('are errors for settings of a run that make no sense, and the server is not started', () => {
    const settings = {
      inheritEnv: 'safe',
      startTimeoutMs: 5000,
      callTimeoutMs: 1000,
      restart: 'always',
      reload: 'swap',
      health: { intervalMs: 30_000, failures: 2 },
    };
    const bad = { restart: 'sometimes', startTimeoutMs: -1, health: { interval: 1 } };
    const loaded = load({
      mcpServers: { a: { command: 'x', mux: settings }, b: { command: 'x', mux: bad } },
    });
    expect(configOf(loaded, 'a')).toMatchObject(settings);
    expect(statuses(loaded)).toEqual({ a: 'ready', b: 'misconfigured' });
    expect(loaded.problems.map(({ path }) => path).toSorted()).toEqual(
      expect.arrayContaining(['mcpServers.b.mux.restart', 'mcpServers.b.mux.startTimeoutMs']),
    );
  });

  it('come for unknown settings under mux', () => {
    const loaded = load({ mcpServers: { a: { command: 'x', mux: { nmae: 'b' } } } });
    expect(loaded.problems).toMatchObject([{ severity: 'warning', path: 'mcpServers.a.mux.nmae' }]);
  });

  it('come for a key that stands twice, of which the last counts', () => {
    const loaded = load('{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}');
    expect(configOf(loaded, 'a')).toMatchObject({ command: 'y' });
    expect(loaded.problems).toMatchObject([{ severity: 'warning', path: 'mcpServers.a' }]);
  });

  it.each(['Bearer ${API_TOKEN}', '${env:DB_PASSWORD:-x}', '${file:/run/key}'])(
    'come for a secret in an argument, which others can see: %j',
    (arg) => {
      const environment = { API_TOKEN: 'hunter2' };
      const files = { '/run/key': 'hunter2' };
      const loaded = load({ mcpServers: { a: { command: 'x', args: [arg] } } }, { environment, files });
      expect(loaded.problems).toMatchObject([{ severity: 'warning', path: 'mcpServers.a.args[0]' }]);
      expect(JSON.stringify(loaded.problems)).not.toContain('hunter2');
    },
  );

  it.each(['${MAX_TOKENS}', '${env:TOKEN_FILE:-/run/token}', '${SORT_KEY}'])(
    'do not come for an argument that only sounds like one: %j',
    (arg) => {
      const environment = { MAX_TOKENS: '1', SORT_KEY: 'name' };
      expect(load({ mcpServers: { a: { command: 'x', args: [arg] } } }, { environment }).problems).toEqual(
        [],
      );
    },
  );
});

describe('a server at a url', () => {
  it('S13: is taken with its headers, its client credentials and all that is replaced in them', () => {
    const clientCredentials = {
      issuer: 'https://login.example.com',
      clientId: 'me',
      clientSecret: '${SECRET}',
    };
    const far = {
      url: 'https://${HOST}/mcp',
      headers: { 'X-Team': '${TEAM}' },
      mux: { clientCredentials },
    };
    const environment = { HOST: 'example.com', TEAM: 'blue', SECRET: 'hush' };
    const loaded = load({ mcpServers: { far } }, { environment });
    expect(loaded.problems).toEqual([]);
    expect(configOf(loaded, 'far')).toEqual({
      url: 'https://example.com/mcp',
      headers: { 'X-Team': 'blue' },
      clientCredentials: { ...clientCredentials, clientSecret: 'hush' },
    });
  });

  it.each([
    [{ url: 'https://a' }, { url: 'https://a', login: true }],
    [
      { url: 'https://a', headers: { authorization: 'x' } },
      { url: 'https://a', headers: { authorization: 'x' } },
    ],
    [
      { url: 'https://a', mux: { addedByAgent: true } },
      { url: 'https://a', addedByAgent: true },
    ],
    [{ serverUrl: 'https://a' }, { url: 'https://a', login: true }],
    [
      { httpUrl: 'https://a', type: 'http' },
      { url: 'https://a', login: true },
    ],
    [
      { baseUrl: 'https://a', type: 'sse' },
      { url: 'https://a', transport: 'sse', login: true },
    ],
    [
      { url: 'https://a', command: 'x', type: 'remote' },
      { url: 'https://a', login: true },
    ],
  ])('S13: %j is one', (server, config) => {
    expect(configOf(load({ mcpServers: { far: server } }), 'far')).toEqual(config);
  });

  it('is misconfigured, by name, when its transport is older than its era', () => {
    const server = { url: 'https://a', type: 'sse', mux: { protocol: 'modern' } };
    const loaded = load({ mcpServers: { far: server, near: { ...server, type: 'http' } } });
    expect(statuses(loaded)).toEqual({ far: 'misconfigured', near: 'ready' });
    const message =
      'protocol: modern cannot be given with the SSE transport, which is of 2024-11-05; leave one of the two out';
    expect(loaded.problems).toEqual([
      expect.objectContaining({ severity: 'error', path: 'mcpServers.far', message }),
    ]);
  });

  it('is misconfigured, by name, when a variable of it is missing', () => {
    const loaded = load({ mcpServers: { far: { url: 'https://a', headers: { A: '${NOT_SET}' } } } });
    expect(statuses(loaded)).toEqual({ far: 'misconfigured' });
    expect(loaded.problems).toMatchObject([{ severity: 'error', path: 'mcpServers.far.headers.A' }]);
  });
});

it('a fault in the guards does not hide faults that are found when servers are resolved, and starts none', () => {
  const { isUsable, servers, problems } = load({
    mcpServers: {
      a: { command: 'npx -y pkg' },
      b: { command: 'x', env: { KEY: '${NOT_SET}' } },
      c: { command: 'x' },
    },
    guards: { ratelimit: {} },
  });
  expect({ isUsable, servers }).toEqual({ isUsable: false, servers: [] });
  expect(problems.map(({ path }) => path)).toEqual([
    'mcpServers.a.command',
    'mcpServers.b.env.KEY',
    'guards',
  ]);
});

it('mux.lazy at the top is for every server whose entry decides nothing', () => {
  const { servers, problems } = load({
    mux: { lazy: true },
    mcpServers: {
      program: { command: 'x' },
      remote: { url: 'https://a.example/mcp', mux: { callTimeoutMs: 5 } },
      eager: { command: 'x', mux: { lazy: false } },
      required: { command: 'x', mux: { required: true } },
    },
  });
  expect(problems).toEqual([]);
  const lazy = servers.map((server) => server.status === 'ready' && server.config.lazy);
  expect(lazy).toEqual([true, true, false, undefined]);
  const wrong = load({ mux: { lazy: 'yes' }, mcpServers: { a: { command: 'x' } } });
  expect(wrong.problems).toMatchObject([{ severity: 'error', path: 'mux.lazy' }]);
});
