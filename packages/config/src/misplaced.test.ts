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
    [
      'a guard that is spelled wrong',
      { guards: { ratelimit: [] } },
      'error: guards has no such setting: ratelimit. Did you mean "rateLimit"?',
    ],
  ])('%s', (_, config, problem) => {
    expect(problemsOf(config)).toEqual([problem]);
  });

  it.each([['/opt/my server/run'], ['C:\\Program Files\\node.exe'], ['./a b']])(
    'a path with a space is a program: %s',
    (command) => {
      expect(problemsOf({ mcpServers: { a: { command } } })).toEqual([]);
    },
  );
});
