import { describe, expect, it } from 'vitest';

import { importServers } from './import.js';
import { TemporaryHome } from './testing/temporary-home.js';

const CURSOR = '.cursor/mcp.json';
const SERVERS = {
  runs: { command: 'node', args: ['server.js'] },
  off: { command: 'node', disabled: true },
  unset: { command: 'node', env: { TOKEN: '${MCPMUX_TEST_UNSET}' } },
  wrong: { command: 'other', args: 'no list' },
};
const LEFT = ['unset', 'wrong'];

function namesIn(text: string): readonly string[] {
  return Object.keys((JSON.parse(text) as { mcpServers: object }).mcpServers);
}

describe('import --takeover', () => {
  it('takes what mcpmux runs or has switched off, and leaves the rest with its client', async () => {
    using home = new TemporaryHome();
    home.write(CURSOR, { mcpServers: SERVERS });
    expect(await importServers(home.context(), ['cursor'], { takeover: true })).toBe(0);
    expect(namesIn(home.read(CURSOR))).toEqual([...LEFT, 'mcpmux']);
    expect(namesIn(home.read('.config/mcpmux/config.json'))).toEqual(['runs', 'off']);
    const { err } = home;
    expect(err).toContain(
      '- unset: stays in its client: the environment variable MCPMUX_TEST_UNSET is not set',
    );
    expect(err).toContain('- wrong: stays in its client: expected an array of strings');
  });

  it('says which names the tools now have, and which servers may need a login', async () => {
    using home = new TemporaryHome();
    const servers = {
      linear: { type: 'http', url: 'https://mcp.example.com/mcp' },
      token: {
        type: 'http',
        url: 'https://other.example.com/mcp',
        headers: { Authorization: 'Bearer ${HOME}' },
      },
    };
    home.write('.claude.json', { mcpServers: servers });
    await importServers(home.context(), ['claude-code'], { takeover: true });
    const { err } = home;
    expect(err).toContain('linear is at a url. If it requires a login: mcpmux login linear\n');
    expect(err).not.toContain('mcpmux login token');
    expect(err).toContain(
      'In Claude Code the tools have other names: mcp__linear__TOOL is now mcp__mcpmux__linear__TOOL.',
    );
  });

  it('of servers that the config has already shows no empty change, and counts no server', async () => {
    using home = new TemporaryHome();
    home.write(CURSOR, { mcpServers: { runs: SERVERS.runs } });
    await importServers(home.context(), ['cursor'], {});
    expect(home.err).toContain('Imported 1 server into');
    await importServers(home.context(), ['cursor'], { takeover: true, dryRun: true });
    expect(home.err).toContain('Would import no new server into');
    expect(home.err).not.toContain('config.json would change');
    await importServers(home.context(), ['cursor'], { takeover: true });
    expect(home.err).toContain('Next: change the rules of Cursor that name tools, and restart Cursor.');
  });

  it('without --takeover, and with --dry-run, renames no tool', async () => {
    using home = new TemporaryHome();
    home.write(CURSOR, { mcpServers: { runs: SERVERS.runs } });
    await importServers(home.context(), ['cursor'], { takeover: true, dryRun: true });
    await importServers(home.context(), ['cursor'], {});
    expect(home.err).not.toContain('other names');
  });

  it('says with --json which servers it left, and why', async () => {
    using home = new TemporaryHome();
    home.write(CURSOR, { mcpServers: SERVERS });
    await importServers(home.context({ json: true }), ['cursor'], { takeover: true });
    const { servers } = JSON.parse(home.out) as { servers: readonly { name: string; result: string }[] };
    expect(servers.map(({ name, result }) => [name, result])).toEqual([
      ['runs', 'added'],
      ['off', 'added'],
      ['unset', 'left'],
      ['wrong', 'left'],
    ]);
    expect(servers[2]).toMatchObject({ reason: expect.stringContaining('is not set') as string });
  });

  it('of a client whose servers mcpmux cannot run changes no byte', async () => {
    using home = new TemporaryHome();
    const { unset, wrong } = SERVERS;
    home.write(CURSOR, { mcpServers: { unset, wrong } });
    const before = home.read(CURSOR);
    await importServers(home.context(), ['cursor'], { takeover: true });
    expect(home.read(CURSOR)).toBe(before);
    expect(home.list('.cursor')).toEqual(['mcp.json']);
  });

  it('leaves the same server that mcpmux cannot run with every client that has it', async () => {
    using home = new TemporaryHome();
    const { unset } = SERVERS;
    home.write(CURSOR, { mcpServers: { unset } });
    home.write('.kiro/settings/mcp.json', { mcpServers: { alike: unset } });
    await importServers(home.context(), ['cursor', 'kiro'], { takeover: true });
    expect(namesIn(home.read(CURSOR))).toEqual(['unset']);
    expect(namesIn(home.read('.kiro/settings/mcp.json'))).toEqual(['alike']);
  });

  it('leaves what the config has, but cannot run either', async () => {
    using home = new TemporaryHome();
    const { unset } = SERVERS;
    home.write('.config/mcpmux/config.json', { mcpServers: { mine: unset } });
    home.write(CURSOR, { mcpServers: { unset } });
    await importServers(home.context(), ['cursor'], { takeover: true });
    expect(namesIn(home.read(CURSOR))).toEqual(['unset']);
  });
});

it('an import without --takeover takes servers that are to be corrected too', async () => {
  using home = new TemporaryHome();
  home.write(CURSOR, { mcpServers: SERVERS });
  await importServers(home.context(), ['cursor'], {});
  expect(namesIn(home.read('.config/mcpmux/config.json'))).toEqual(Object.keys(SERVERS));
});
