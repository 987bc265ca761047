import { chmodSync, existsSync, lstatSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { fixtureServer } from './testing/fixture-server.js';
import { MachineUser, NO_USERS } from './testing/machine-user.js';
import type { RawCli } from './testing/raw-cli.js';
import { untilListed } from './testing/shared-windows.js';

const SECRET = 'secret-of-the-victim';

/** Everything that a user can try at the sockets of another one. */
const ATTACK = `
  const { readdirSync, readFileSync } = require('node:fs');
  const { connect } = require('node:net');
  const [folder, socket, ...files] = process.argv.slice(1);
  const tried = (what) => { try { return what(); } catch (error) { return error.code; } };
  const found = {
    folder: tried(() => readdirSync(folder)),
    files: files.map((file) => tried(() => readFileSync(file, 'utf8'))),
    lines: readdirSync('/proc').map((pid) => tried(() => readFileSync('/proc/' + pid + '/cmdline', 'latin1'))).join(' '),
    environments: readdirSync('/proc').map((pid) => tried(() => readFileSync('/proc/' + pid + '/environ', 'latin1'))).join(' '),
  };
  const told = (result) => { console.log(JSON.stringify({ ...found, socket: result })); process.exit(); };
  connect(socket).on('connect', () => told('connected')).on('error', ({ code }) => told(code));
`;

interface Found {
  readonly folder: unknown;
  readonly files: readonly unknown[];
  readonly lines: string;
  readonly environments: string;
  readonly socket: string;
}

async function echoes(window: RawCli): Promise<unknown> {
  await untilListed(window, 'echo__echo');
  const { result } = await window.call('echo__echo', { message: 'own' });
  return result?.['content'];
}

function configOf(victim: MachineUser): string {
  const echo = { ...fixtureServer('echo'), env: { TOKEN: SECRET }, mux: { shared: true } };
  return victim.write('config.json', { mcpServers: { echo } });
}

describe.skipIf(NO_USERS !== '')(`another user of the machine${NO_USERS}`, () => {
  it.each([
    ['a mcpmux of its own', []],
    ['the shared process', ['--shared', '--shared-idle', '1']],
  ])('reaches no socket, reads no config and sees no secret of %s', async (_, flags) => {
    using victim = MachineUser.arrive();
    using attacker = MachineUser.arrive();
    const config = configOf(victim);
    await using mcpmux = victim.mcpmux({
      args: ['serve', '--config', config, '--log-level', 'debug', ...flags],
    });
    await mcpmux.initialize();
    await expect(echoes(mcpmux)).resolves.toEqual([{ type: 'text', text: 'own' }]);
    const { socketFolder: folder } = victim;
    await expect.poll(() => existsSync(folder) && readdirSync(folder).join(' ')).toContain('.sock');
    const socket = readdirSync(folder).find((name) => name.endsWith('.sock')) ?? '';
    expect(lstatSync(folder).mode & 0o777).toBe(0o700);
    const found = attacker.run(ATTACK, folder, join(folder, socket), config) as Found;
    expect(found).toMatchObject({ folder: 'EACCES', files: ['EACCES'], socket: 'EACCES' });
    expect(found.lines).toContain('--log-level');
    expect(found.lines + found.environments).not.toContain(SECRET);
  });

  const SQUATS: readonly (readonly [string, (attacker: MachineUser, victim: MachineUser) => void])[] = [
    ['a folder that all can write', (attacker, { socketFolder }) => attacker.folder(socketFolder, 0o777)],
    ['a private folder of its own', (attacker, { socketFolder }) => attacker.folder(socketFolder, 0o700)],
    [
      'a link to a private folder of the victim',
      (_, { home, socketFolder }) => symlinkSync(join(home, 'run'), socketFolder),
    ],
  ];

  it.each(SQUATS)('that puts %s in place of the folder of sockets gets nothing', async (_, squat) => {
    using victim = MachineUser.arrive();
    using attacker = MachineUser.arrive();
    victim.folder(join(victim.home, 'run'), 0o700);
    squat(attacker, victim);
    chmodSync(victim.home, 0o755);
    const args = ['serve', '--config', configOf(victim), '--log-level', 'debug'];
    await using mcpmux = victim.mcpmux({ args });
    await mcpmux.initialize();
    await expect(echoes(mcpmux)).resolves.toEqual([{ type: 'text', text: 'own' }]);
    await mcpmux.until(() => mcpmux.stderr.includes('is not a folder for this user alone') || undefined);
    await using shared = victim.mcpmux({ args: [...args, '--shared'] });
    await expect(shared.ended).resolves.toMatchObject({ code: 1 });
    expect(shared.stderr).toMatch(
      /^mcpmux: \S+ is not a folder for this user alone .* Set MCPMUX_RUNTIME_DIR to a folder of your own\.\n$/,
    );
    expect(readdirSync(victim.socketFolder)).toEqual([]);
  });

  it('gives a mcpmux in its folder no config, and no program to run', async () => {
    using victim = MachineUser.arrive();
    using attacker = MachineUser.arrive();
    const project = join(attacker.home, 'project');
    attacker.folder(project, 0o755);
    chmodSync(attacker.home, 0o755);
    const ran = join(victim.home, 'ran');
    const server = { command: 'touch', args: [ran] };
    for (const name of ['mcpmux.json', '.mcp.json'])
      attacker.write(join('project', name), { mcpServers: { evil: server } }, 0o644);
    await using mcpmux = victim.mcpmux({ args: ['serve', '--project-config'], cwd: project });
    await mcpmux.initialize();
    await mcpmux.call('list_servers');
    expect(existsSync(ran)).toBe(false);
    expect(mcpmux.stderr).toContain('a config of another user is not used');
  });
});
