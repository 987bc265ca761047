import { expect, it } from 'vitest';

import { withFileLock } from '../files/file-lock.js';
import { add } from './add.js';
import { importServers } from './import.js';
import { remove } from './remove.js';
import { disable } from './switch-server.js';
import { TemporaryHome } from './testing/temporary-home.js';

const CONFIG = '.config/mcpmux/config.json';

it('what changes a config waits for whoever is at it, and keeps what they have written', async () => {
  using home = new TemporaryHome();
  const context = home.context({ quiet: true });
  home.write('.cursor/mcp.json', { mcpServers: { imported: { command: 'imported' } } });
  home.write(CONFIG, { mcpServers: { old: { command: 'old' }, off: { command: 'off' } } });
  const adds = Array.from({ length: 10 }, (_, index) => [`s${index}`, `c${index}`]);
  let running: readonly Promise<number>[] = [];
  await withFileLock(home.config, async () => {
    running = [
      ...adds.map((words) => add(context, words, {})),
      remove(context, ['old'], {}),
      disable(context, ['off'], {}),
      importServers(context, ['cursor'], {}),
    ];
    await Promise.resolve();
    const servers = { old: { command: 'old' }, off: { command: 'off' }, theirs: { command: 'theirs' } };
    home.write(CONFIG, { mcpServers: servers });
  });
  expect(await Promise.all(running)).toEqual(running.map(() => 0));
  const { mcpServers } = JSON.parse(home.read(CONFIG)) as { mcpServers: object };
  const expected = ['theirs', 'off', 'imported', ...adds.map(([name]) => name)];
  expect(new Set(Object.keys(mcpServers))).toEqual(new Set(expected));
  expect(mcpServers).toMatchObject({ off: { disabled: true } });
  expect(home.list('.config/mcpmux')).toEqual(['config.json']);
});

it('of several servers to remove, one that is not there keeps all, and is told so', async () => {
  using home = new TemporaryHome();
  home.write(CONFIG, { mcpServers: { old: { command: 'old' } } });
  await expect(remove(home.context(), ['old', 'nosuch'], {})).rejects.toThrow('Nothing was removed.');
  expect(home.read(CONFIG)).toContain('old');
});
