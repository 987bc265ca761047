import { expect, it } from 'vitest';

import { visibleEntryWords } from './open-words.js';

const OLD = { command: 'npx', args: ['-y', 'old-server'] };

it('of a server that is added, changed or removed all words are shown but secrets', () => {
  const entry = {
    command: 'uvx',
    args: ['server', '/tmp', '--token', 'hunter2'],
    env: { TOKEN: 'hunter2', LEVEL: '${LEVEL}' },
  };
  const words = visibleEntryWords({ mcpServers: { old: OLD } }, { mcpServers: { old: OLD, new: entry } });
  for (const word of ['uvx', 'server', '/tmp', '${LEVEL}']) expect(words).toContain(word);
  expect(words).not.toContain('hunter2');
  expect(words).not.toContain('old-server');
  expect(visibleEntryWords({ mcpServers: { old: OLD } }, { mcpServers: {} })).toContain('old-server');
});

it('a url is shown where it holds no secret, and a command line in one list as arguments are', () => {
  const words = visibleEntryWords(
    {},
    {
      servers: {
        far: { url: 'https://example.com/mcp' },
        keyed: { url: 'https://example.com/?key=hunter2' },
        listed: { command: ['node', '--api-key=hunter2', 'x.js'] },
      },
    },
  );
  for (const word of ['https://example.com/mcp', 'node', 'x.js']) expect(words).toContain(word);
  expect(words.join('\n')).not.toContain('hunter2');
});
