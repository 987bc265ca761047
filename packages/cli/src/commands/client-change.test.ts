import { chmodSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { CommandError } from '../terminal/command-error.js';
import { importServers } from './import.js';
import { install, uninstall } from './install.js';
import { TemporaryHome } from './testing/temporary-home.js';

const CURSOR = '.cursor/mcp.json';
const KIRO = '.kiro/settings/mcp.json';

function withClients(): TemporaryHome {
  const home = new TemporaryHome();
  for (const file of [CURSOR, KIRO]) home.write(file, { mcpServers: {} });
  return home;
}

describe('of several clients of which one cannot be written', () => {
  it('the others are, and --json says of each what became of it', async () => {
    using home = withClients();
    chmodSync(home.path(CURSOR), 0o444);
    expect(await install(home.context({ json: true }), ['cursor', 'kiro'], {})).toBe(1);
    expect(JSON.parse(home.out)).toMatchObject([
      { client: 'cursor', written: false, error: { code: 'FILE_READ_ONLY' } },
      { client: 'kiro', written: true, backup: expect.stringContaining('.bak-mcpmux-') as string },
    ]);
    expect(home.read(KIRO)).toContain('@mcpmux/cli');
  });

  it('both are told, and no copy of a file that is as it was is left', async () => {
    using home = withClients();
    chmodSync(home.path(KIRO), 0o444);
    expect(await install(home.context(), ['cursor', 'kiro'], {})).toBe(1);
    const { err } = home;
    expect(err).toContain(`Wrote ${home.path(CURSOR)}`);
    expect(err).toContain(`${home.path(KIRO)} is read-only (mode 0444); it is unchanged.`);
    expect(err).toContain('Next: to let mcpmux change the file: chmod u+w');
    expect(home.list('.kiro/settings')).toEqual(['mcp.json']);
  });

  it('uninstall ends with a code of its own too', async () => {
    using home = withClients();
    await install(home.context({ quiet: true }), ['cursor', 'kiro'], {});
    chmodSync(home.path(CURSOR), 0o444);
    expect(await uninstall(home.context({ quiet: true }), [], {})).toBe(1);
    expect(home.read(CURSOR)).toContain('@mcpmux/cli');
    expect(home.read(KIRO)).not.toContain('@mcpmux/cli');
  });
});

it('a client alone that cannot be written is the failure of the command', async () => {
  using home = withClients();
  chmodSync(home.path(CURSOR), 0o444);
  await expect(install(home.context(), ['cursor'], {})).rejects.toThrow(CommandError);
  expect(home.list('.cursor')).toEqual(['mcp.json']);
});

it('a file that its client changes while a person is asked is left to the client', async () => {
  using home = withClients();
  const context = home.context();
  const { err } = context.streams;
  const isChanged = { ...context.streams, err: (text: string) => (err(text), home.write(CURSOR, '{ }')) };
  const running = install({ ...context, streams: isChanged }, ['cursor'], {});
  await expect(running).rejects.toThrow(/another program has changed .* meanwhile/);
  expect(home.read(CURSOR)).toBe('{ }');
  expect(home.list('.cursor')).toEqual(['mcp.json']);
});

describe('what a person agrees to can be read', () => {
  it('of a server that comes and one that goes, the command line is shown', async () => {
    using home = new TemporaryHome();
    home.write(CURSOR, { mcpServers: { mine: { command: 'mine', args: ['--secret', 'hunter2', '/srv'] } } });
    home.write('.config/mcpmux/config.json', { mcpServers: {} });
    await importServers(home.context(), ['cursor'], { takeover: true, dryRun: true });
    const { err } = home;
    expect(err).toContain('-        "/srv"');
    expect(err).toContain('+        "/srv"');
    expect(err).toContain('+        "-y"');
    expect(err).not.toContain('hunter2');
  });

  it('of a file on one long line, the entry alone is shown, in lines', async () => {
    using home = new TemporaryHome();
    const projects = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`/home/ann/p${n}`, { n }]));
    home.write('.claude.json', JSON.stringify({ projects, mcpServers: {} }));
    await install(home.context(), ['claude-code'], { dryRun: true });
    const { err } = home;
    expect(err).toContain('+    "mcpmux": {');
    expect(err).not.toContain('/home/ann/p3"');
  });
});
