import { expect, it } from 'vitest';

import { clientServers } from './client-file.js';
import { CLIENTS } from './client-list.js';

it.each([String.raw`C:\work\app`, 'C:/work/app'])(
  'Claude Code on Windows: the servers of the folder are found under its key %s',
  async (key) => {
    const client = CLIENTS.find(({ id }) => id === 'claude-code');
    if (client === undefined) throw new Error('no Claude Code');
    const text = JSON.stringify({ projects: { [key]: { mcpServers: { here: { command: 'x' } } } } });
    const file = { client, scope: 'user', file: '.claude.json', text } as const;
    const servers = await clientServers(file, { cwd: String.raw`C:\work\app` });
    expect(servers.map(({ name, path }) => [name, path[1]])).toEqual([['here', key]]);
  },
);
