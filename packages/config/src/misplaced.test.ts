import { describe, expect, it } from 'vitest';

import { loadConfig } from './load-config.js';

function problemsOf(config: object): readonly string[] {
  const context = { environment: {}, home: '/home/ann', cwd: '/home/ann' };
  const location = { file: '/c.json', origin: 'flag', folder: '/' } as const;
  const { problems } = loadConfig(location, context, () => JSON.stringify(config));
  return problems.map(({ severity, message }) => `${severity}: ${message}`);
}

describe('what cannot work is an error, with what to do', () => {
  it.each([
    [
      'arguments in a command',
      { mcpServers: { a: { command: 'npx -y pkg' } } },
      'error: no shell is involved: the words behind the program belong into "args"',
    ],
    ['a server at the top', { github: { command: 'npx' } }, 'error: a server belongs into "mcpServers"'],
    [
      'servers under the key of another client',
      { context_servers: { x: { command: 'npx' } } },
      'error: servers belong into "mcpServers"; for the file of another client: mcpmux import CLIENT --from FILE',
    ],
    ...[
      ['VS Code', { mcp: { servers: { a: { command: 'npx' } } } }],
      ['VS Code, a url', { mcp: { inputs: [], servers: { a: { type: 'http', url: 'https://a.example' } } } }],
      ['opencode', { mcp: { a: { type: 'local', command: ['npx', 'pkg'] } } }],
      ['opencode, a url', { mcp: { a: { type: 'remote', url: 'https://a.example' } } }],
      ['Goose', { extensions: { a: { cmd: 'npx', args: [], type: 'stdio' } } }],
      ['Claude Code, a project', { projects: { '/p': { mcpServers: { a: { command: 'npx' } } } } }],
      ['Gemini CLI, a url', { mcpservers_old: { a: { httpUrl: 'https://a.example' } } }],
      ['a list', { 'context.list': [{ name: 'a', command: 'npx' }] }],
    ].map(([client, config]): [string, object, string] => [
      `W7: the servers of ${JSON.stringify(client)}`,
      config as object,
      'error: servers belong into "mcpServers"; for the file of another client: mcpmux import CLIENT --from FILE',
    ]),
    [
      'a guard that is spelled wrong',
      { guards: { ratelimit: [] } },
      'error: guards has no such setting: ratelimit. Did you mean "rateLimit"?',
    ],
  ])('%s', (_, config, problem) => {
    expect(problemsOf(config)).toEqual([problem]);
  });

  it.each([
    { inputs: [{ id: 'a', type: 'promptString' }] },
    { mcp: { inputs: [] } },
    { sandbox: { mode: 'x' } },
  ])('settings of a client that hold no servers are left alone: %j', (config) => {
    expect(problemsOf(config)).toEqual([]);
  });

  it('a sandbox of entries with sandboxEnabled that is spelled wrong is an error', () => {
    const servers = { a: { command: 'x', sandboxEnabled: true } };
    expect(problemsOf({ servers, sandbox: { mode: 'x' } })).toEqual([
      'error: sandbox has no such setting: mode',
    ]);
  });

  it.each([['/opt/my server/run'], ['C:\\Program Files\\node.exe'], ['./a b']])(
    'a path with a space is a program: %s',
    (command) => {
      expect(problemsOf({ mcpServers: { a: { command } } })).toEqual([]);
    },
  );
});
