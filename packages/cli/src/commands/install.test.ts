import { describe, expect, it } from 'vitest';

import { VERSION } from '../base/version.js';
import { localScript } from '../edit/clients/client-entry.js';
import { install } from './install.js';
import { TemporaryHome } from './testing/temporary-home.js';

const CONFIG = '.config/mcpmux/config.json';
const CODEX = '.codex/config.toml';
const GEMINI = '.gemini/settings.json';
const SERVERS = {
  kit: { command: 'node', args: ['x'], env: { X: '${MY_GH_TOKEN}', L: '${LC_ALL}', D: '${MAY_BE:-none}' } },
  far: { url: 'https://example.com/${MYSETTING}' },
  off: { command: 'node', env: { X: '${OF_NOBODY}' }, disabled: true },
};

function homeWithConfig(): TemporaryHome {
  const home = new TemporaryHome({ MYSETTING: '1' });
  home.write(CONFIG, { mcpServers: SERVERS });
  return home;
}

describe('install', () => {
  it('gives Codex the time that a first start by npx takes', async () => {
    using home = new TemporaryHome();
    await install(home.context(), ['codex'], {});
    expect(home.read(CODEX)).toContain('startup_timeout_sec = 60');
    await install(home.context(), ['codex'], { print: true, local: true });
    expect(home.out).not.toContain('startup_timeout_sec');
    await install(home.context(), ['codex'], { print: true });
    expect(home.out).toContain('startup_timeout_sec = 60');
  });

  it('registers the version that it is, and mends an entry of another version', async () => {
    using home = new TemporaryHome();
    home.write('.cursor/mcp.json', {
      mcpServers: { mcpmux: { command: 'npx', args: ['-y', '@mcpmux/cli@0.0.1'] } },
    });
    await install(home.context(), ['cursor', 'kiro'], {});
    for (const file of ['.cursor/mcp.json', '.kiro/settings/mcp.json'])
      expect(home.read(file)).toContain(`"@mcpmux/cli@${VERSION}"`);
    await install(home.context(), ['cursor'], {});
    expect(home.err).toContain('mcpmux is registered already');
  });

  it('from a clone registers the clone, unless the package is asked for', () => {
    using home = new TemporaryHome();
    const clone = home.write('mcpmux/packages/cli/bin/mcpmux.cjs', '');
    const installed = home.write('lib/node_modules/@mcpmux/cli/bin/mcpmux.cjs', '');
    expect(localScript({}, clone)).toBe(clone);
    expect(localScript({ local: false }, clone)).toBeUndefined();
    expect(localScript({}, installed)).toBeUndefined();
    expect(localScript({ local: true }, installed)).toBe(installed);
  });

  it('says which variables of the config the client will not pass on, and how it would', async () => {
    using home = homeWithConfig();
    await install(home.context(), ['codex'], {});
    expect(home.read(CODEX)).not.toContain('env_vars');
    expect(home.err).toContain(
      'Codex does not pass on to mcpmux, which its config uses: MY_GH_TOKEN, MYSETTING. ' +
        'Next: mcpmux install codex --pass-env',
    );
  });

  it('--pass-env lets the client pass on what the config uses, and nothing else', async () => {
    using home = homeWithConfig();
    await install(home.context(), ['codex', 'gemini'], { passEnv: true });
    expect(home.read(CODEX)).toContain('env_vars = [ "MY_GH_TOKEN", "MYSETTING" ]');
    expect(JSON.parse(home.read(GEMINI))).toMatchObject({
      mcpServers: { mcpmux: { command: 'npx', env: { MY_GH_TOKEN: '$MY_GH_TOKEN' } } },
    });
    expect(home.read(GEMINI)).not.toContain('MYSETTING');
    expect(home.err).not.toContain('does not pass on');
  });

  it('--pass-env adds variables to an entry that is there, and changes nothing the second time', async () => {
    using home = homeWithConfig();
    home.write(CODEX, '# mine\n[mcp_servers.mux]\ncommand = "mcpmux"\nenv_vars = ["OTHER"]\n');
    await install(home.context(), ['codex'], { passEnv: true });
    const once = home.read(CODEX);
    expect(once).toContain('# mine');
    expect(once).toContain('env_vars = [ "OTHER", "MY_GH_TOKEN", "MYSETTING" ]');
    await install(home.context(), ['codex'], { passEnv: true });
    expect(home.read(CODEX)).toBe(once);
    expect(home.err).toContain('mcpmux is registered already');
  });

  it('says where the values go in a client that passes on values only', async () => {
    using home = homeWithConfig();
    await install(home.context(), ['claude-desktop'], { passEnv: true });
    expect(home.err).toMatch(
      /does not pass on .*MY_GH_TOKEN, LC_ALL, MYSETTING\. Next: write the values into "env"/,
    );
  });

  it('says nothing of variables without a config, and with one that cannot be read', async () => {
    using home = new TemporaryHome({ MCPMUX_CONFIG: '/nowhere/config.json' });
    await install(home.context(), ['codex'], { passEnv: true });
    expect(home.read(CODEX)).not.toContain('env_vars');
  });
});
