import { describe, expect, it } from 'vitest';

import { configToRead, configToWrite, type ConfigFlags } from './config-choice.js';
import { TemporaryHome } from '../commands/testing/temporary-home.js';

const CONFIG = { mcpServers: {} };

describe('the same flags mean the same config for a command that reads and for one that writes', () => {
  it.each<readonly [string, ConfigFlags, string]>([
    ['no flag', {}, '.config/mcpmux/config.json'],
    ['--config', { config: 'mine.json' }, 'mine.json'],
    ['--catalog', { catalog: 'mine.json' }, 'mine.json'],
    ['--scope user', { scope: 'user' }, '.config/mcpmux/config.json'],
    ['--scope project', { scope: 'project' }, 'app/mcpmux.json'],
    ['--project-config', { projectConfig: true }, 'app/mcpmux.json'],
  ])('%s', (_, flags, file) => {
    using home = new TemporaryHome();
    for (const name of ['.config/mcpmux/config.json', 'app/mcpmux.json', 'app/mine.json', 'mine.json'])
      home.write(name, CONFIG);
    const here = file === 'mine.json' ? 'app/mine.json' : file;
    const context = { ...home.context(), cwd: home.path('app') };
    expect(configToRead(context, flags)?.file).toBe(home.path(here));
    expect(configToWrite(context, flags).file).toBe(home.path(here));
  });

  it('a file that does not exist is read as none, and written where it would be found', () => {
    using home = new TemporaryHome();
    home.write('.config/mcpmux/config.json', CONFIG);
    expect(configToRead(home.context(), { scope: 'project' })).toBeUndefined();
    expect(configToWrite(home.context(), { scope: 'project' }).file).toBe(home.path('mcpmux.json'));
  });

  it('below the folder of a project, --scope project means its config', () => {
    using home = new TemporaryHome();
    home.write('app/.mcpmux/config.json', CONFIG);
    home.write('app/src/x', '');
    const context = { ...home.context(), cwd: home.path('app', 'src') };
    for (const location of [
      configToRead(context, { scope: 'project' }),
      configToWrite(context, { scope: 'project' }),
    ])
      expect(location?.file).toBe(home.path('app/.mcpmux/config.json'));
  });
});
