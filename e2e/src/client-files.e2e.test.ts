import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { RemoteServer } from '@mcpmux/test-servers/remote-server';
import { describe, expect, it } from 'vitest';

import { CLI } from './testing/built-cli.js';
import { Person } from './testing/person.js';

const FIXTURES = join(dirname(CLI), '..', '..', 'testing', 'fixtures', 'clients');
const RUNNERS = ['npx', 'uvx', 'docker'] as const;
const URLS = /https?:\/\/[^"'\s}]+/g;
const VARIABLES = { API_KEY: 'key', FIGMA_OAUTH_TOKEN: 'token', FIGMA_TEAM: 'team' };

/** A client on Linux: where its file is, and which of its servers run in mcpmux. */
const CLIENTS = [
  {
    client: 'claude-code',
    file: '.claude.json',
    fixture: 'claude-code.json',
    run: ['database', 'api', 'asana'],
  },
  {
    client: 'claude-desktop',
    file: '.config/Claude/claude_desktop_config.json',
    fixture: 'claude-desktop.json',
    run: ['filesystem', 'brave-search'],
  },
  { client: 'cursor', file: '.cursor/mcp.json', fixture: 'cursor.json', run: ['local', 'remote'] },
  { client: 'vscode', file: '.config/Code/User/mcp.json', fixture: 'vscode.json', run: ['fetch', 'github'] },
  { client: 'codex', file: '.codex/config.toml', fixture: 'codex.toml', run: ['context7', 'figma'] },
  {
    client: 'gemini',
    file: '.gemini/settings.json',
    fixture: 'gemini.json',
    run: ['python', 'http', 'google'],
  },
  {
    client: 'windsurf',
    file: '.codeium/windsurf/mcp_config.json',
    fixture: 'windsurf.json',
    run: ['github', 'remote'],
  },
  {
    client: 'zed',
    file: '.config/zed/settings.json',
    fixture: 'zed.json',
    run: ['local', 'older', 'remote'],
  },
  { client: 'goose', file: '.config/goose/config.yaml', fixture: 'goose.yaml', run: ['github', 'far'] },
  {
    client: 'cline',
    file: '.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
    fixture: 'cline.json',
    run: ['github.com/modelcontextprotocol/servers/tree/main/src/time', 'remote'],
  },
  {
    client: 'opencode',
    file: '.config/opencode/opencode.json',
    fixture: 'opencode.json',
    run: ['everything', 'sentry'],
  },
  { client: 'kiro', file: '.kiro/settings/mcp.json', fixture: 'kiro.json', run: ['web-search', 'api'] },
] as const;

interface Listed {
  readonly servers: readonly { readonly name: string; readonly status: string }[];
}

describe.skipIf(process.platform !== 'linux').each(CLIENTS)(
  'the file of $client',
  ({ client, file, fixture, run }) => {
    it('S13: is imported, its servers run, those at urls too, and an export gives them back', async () => {
      await using person = await Person.arrive();
      await using http = await RemoteServer.open();
      await using sse = await RemoteServer.open({ transport: 'sse' });
      const env = { ...VARIABLES, ...(await person.withRunners(...RUNNERS)) };
      const text = await readFile(join(FIXTURES, fixture), 'utf8');
      // Nothing leaves this machine.
      await person.write(
        file,
        text.replaceAll(URLS, (url) => (url.endsWith('/sse') ? sse : http).url),
      );
      expect(await person.run(['import', client], { env })).toMatchObject({ code: 0, stdout: '' });
      const listed = await person.run(['list', '--check', '--json'], { env });
      const { servers } = JSON.parse(listed.stdout) as Listed;
      const running = servers.filter(({ status }) => status === 'running').map(({ name }) => name);
      expect(running).toEqual(run);
      expect(servers.filter(({ status }) => status === 'crashed')).toEqual([]);
      // The client's own file, with what it was given back.
      const exported = await person.run(['export', '--client', client], { env });
      const copy = await person.write(`copy/${fixture}`, exported.stdout);
      await person.run(['import', client, '--from', copy, '--catalog', 'copy/config.json'], { env });
      const again = await person.run(['export', '--client', client, '--catalog', 'copy/config.json'], {
        env,
      });
      expect(again.stdout).toBe(exported.stdout);
    });

    it('keeps its comments when mcpmux is installed into it, has a copy, and is what it was afterwards', async () => {
      await using person = await Person.arrive();
      const before = await readFile(join(FIXTURES, fixture), 'utf8');
      await person.write(file, before);
      const dry = await person.run(['install', client, '--dry-run']);
      expect(dry).toMatchObject({ code: 0, stdout: '' });
      expect(await person.read(file)).toBe(before);
      const unasked = await person.run(['install', client]);
      expect(unasked).toMatchObject({ code: 7, stdout: '' });
      expect(unasked.stderr).toContain('--yes');
      expect(await person.read(file)).toBe(before);
      const installed = (await person.json('install', client, '--yes')) as readonly {
        readonly backup: string;
      }[];
      const after = await person.read(file);
      expect(after).toContain('mcpmux');
      expect(commentsOf(after)).toEqual(commentsOf(before));
      expect(await readFile(installed[0]?.backup ?? '', 'utf8')).toBe(before);
      expect((await person.mcpmux('install', client, '--yes')).stderr).toContain(
        'mcpmux is registered already',
      );
      expect((await person.mcpmux('uninstall', client, '--yes')).code).toBe(0);
      expect(await person.read(file)).toBe(before);
    });
  },
);

function commentsOf(text: string): readonly string[] {
  return text.match(/(?:^|\s)(?:\/\/|#) .*/g) ?? [];
}
