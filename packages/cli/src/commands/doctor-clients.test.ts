import { expect, it } from 'vitest';

import { doctor } from './doctor.js';
import { TemporaryHome } from './testing/temporary-home.js';

interface Found {
  readonly subject: string;
  readonly level: string;
  readonly message: string;
  readonly next?: string;
}

/** What doctor says of one client, in a shell that has all that the config uses. */
async function findings(
  client: string,
  file: string,
  content: string | object,
  ...names: readonly string[]
): Promise<readonly Found[]> {
  using home = new TemporaryHome({ MY_GH_TOKEN: 'a', MYSETTING: '1' });
  const env = { X: '${MY_GH_TOKEN}', Y: '${MYSETTING}' };
  home.write('.config/mcpmux/config.json', {
    mcpServers: { kit: { command: 'no-such-program', env }, plain: { command: 'no-such-program' } },
  });
  home.write(file, content);
  await doctor(home.context({ json: true }), names, {});
  const { findings: all } = JSON.parse(home.out) as { readonly findings: readonly Found[] };
  return all.filter(({ subject }) => subject === client);
}

it('doctor looks with the environment that Codex passes on', async () => {
  const entry = '[mcp_servers.mcpmux]\ncommand = "mcpmux"\n';
  expect(await findings('codex', '.codex/config.toml', entry)).toMatchObject([
    { level: 'ok', message: 'has mcpmux' },
    {
      level: 'problem',
      message: 'does not pass on to mcpmux: MY_GH_TOKEN (for kit), MYSETTING (for kit)',
      next: 'mcpmux install codex --pass-env',
    },
  ]);
  const passing = `${entry}env_vars = ["MY_GH_TOKEN", "MYSETTING"]\n`;
  expect(await findings('codex', '.codex/config.toml', passing)).toMatchObject([{ level: 'ok' }]);
});

it('doctor NAME looks at what each client passes on for that server alone', async () => {
  const entry = '[mcp_servers.mcpmux]\ncommand = "mcpmux"\n';
  expect(await findings('codex', '.codex/config.toml', entry, 'kit')).toMatchObject([{ level: 'problem' }]);
  expect(await findings('codex', '.codex/config.toml', entry, 'plain')).toEqual([]);
});

it('doctor looks with the environment that Gemini CLI passes on', async () => {
  const mcpmux = { command: 'mcpmux' };
  expect(await findings('gemini', '.gemini/settings.json', { mcpServers: { mcpmux } })).toMatchObject([
    { level: 'ok' },
    { level: 'problem', message: 'does not pass on to mcpmux: MY_GH_TOKEN (for kit)' },
  ]);
});

it('doctor says nothing of what a client passes on of which nothing is known', async () => {
  const mcpServers = { mcpmux: { command: 'mcpmux' } };
  const [first, ...rest] = await findings('cursor', '.cursor/mcp.json', { mcpServers });
  expect(first).toMatchObject({ level: 'ok', message: 'has mcpmux' });
  expect(rest).toEqual([]);
});
