import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { CLI, NODE } from './testing/built-cli.js';
import { fixtureServer } from './testing/fixture-server.js';
import { Person } from './testing/person.js';
import { RawCli } from './testing/raw-cli.js';
import { hasTerminals, Terminal } from './testing/terminal.js';

const ECHO = fixtureServer('echo');
const TALKER = fixtureServer('stderr-talker');

interface Listed {
  readonly instance?: number;
  readonly servers: readonly {
    readonly name: string;
    readonly status: string;
    readonly uptime_seconds?: number;
  }[];
}

/** A mcpmux that a client of this person has started, once commands can reach it. */
async function serving(person: Person, ...args: readonly string[]): Promise<RawCli> {
  const mcpmux = new RawCli({
    args: ['--log-level', 'debug', ...args],
    env: person.environment,
    cwd: person.home,
  });
  await mcpmux.initialize();
  await mcpmux.until(() => (mcpmux.stderr.includes('commands can reach this mcpmux') ? true : undefined));
  return mcpmux;
}

/** Resolves when the log says so. */
function logged(mcpmux: RawCli, text: string): Promise<unknown> {
  return mcpmux.until(() => (mcpmux.stderr.includes(text) ? true : undefined));
}

async function listed(person: Person, ...words: readonly string[]): Promise<Listed> {
  return (await person.json('list', ...words)) as Listed;
}

describe('a running mcpmux', () => {
  it('is what list, tools, call and doctor talk to: nothing is started twice', async () => {
    await using person = await Person.arrive();
    await person.configure({ mcpServers: { echo: ECHO } });
    await using mcpmux = await serving(person);
    await logged(mcpmux, '[echo] server running');
    const { instance, servers } = await listed(person);
    expect(instance).toBe(mcpmux.child.pid);
    expect(servers).toMatchObject([
      { name: 'echo', status: 'running', uptime_seconds: expect.any(Number) as number },
    ]);
    expect(await person.mcpmux('call', 'echo.echo', 'message=hi')).toMatchObject({ stdout: 'hi\n', code: 0 });
    expect((await person.mcpmux('tools', 'echo')).stdout).toContain('echo(message: string)');
    expect((await person.mcpmux('doctor', 'echo')).stdout).toContain(
      `pid ${mcpmux.child.pid} serves this config`,
    );
    expect(mcpmux.stderr.match(/started a server process/g)).toHaveLength(1);
    const fresh = await listed(person, '--fresh');
    expect(fresh.instance).toBeUndefined();
  });

  it('is not blamed for servers that it was told not to start', async () => {
    await using person = await Person.arrive();
    await person.configure({ mcpServers: { a: ECHO, b: ECHO }, profiles: { work: ['a'] } });
    await using mcpmux = await serving(person, '--profile', 'work');
    await logged(mcpmux, '[a] server running');
    expect(await listed(person)).toMatchObject({
      instance: mcpmux.child.pid,
      servers: [
        { name: 'a', status: 'running' },
        { name: 'b', status: 'not_selected' },
      ],
    });
    expect((await person.mcpmux('list')).stdout).toMatch(/b +not selected +.*--profile work/);
    const doctor = await person.mcpmux('doctor', 'b');
    expect(doctor).toMatchObject({ code: 0, stdout: expect.stringContaining('not selected') as string });
    const called = await person.mcpmux('call', 'b.echo', 'message=hi');
    expect(called).toMatchObject({ code: 2, stderr: expect.stringContaining('--profile work') as string });
  });

  it('shows what agents added, too, and calls it', async () => {
    await using person = await Person.arrive();
    await person.configure({ mcpServers: {} });
    await using mcpmux = await serving(person);
    await mcpmux.call('add_server', { name: 'late', ...ECHO });
    expect((await listed(person)).servers).toMatchObject([{ name: 'late', status: 'running' }]);
    expect(await person.mcpmux('call', 'late.echo', 'message=hi')).toMatchObject({ stdout: 'hi\n', code: 0 });
    expect((await person.mcpmux('tools', 'late')).stdout).toContain('echo(message: string)');
    expect(await person.mcpmux('call', 'lat.echo', 'message=hi')).toMatchObject({ stdout: '', code: 6 });
  });

  it('reads its config again when it is told to, and leaves alone what is the same', async () => {
    await using person = await Person.arrive();
    await person.configure({ mcpServers: { stays: ECHO, goes: ECHO, changes: ECHO } });
    await using mcpmux = await serving(person);
    for (const name of ['stays', 'goes', 'changes']) await logged(mcpmux, `[${name}] server running`);
    await person.configure({
      mcpServers: { stays: ECHO, changes: { ...ECHO, env: { A: '1' } }, comes: ECHO },
    });
    expect(await person.json('reload')).toMatchObject({
      added: ['comes'],
      removed: ['goes'],
      changed: ['changes'],
    });
    await logged(mcpmux, '[comes] server running');
    const after = await listed(person);
    expect(after.servers.map(({ name }) => name).toSorted()).toEqual(['changes', 'comes', 'stays']);
    expect(mcpmux.stderr.match(/\[stays\] started a server process/g)).toHaveLength(1);
    expect((await person.mcpmux('reload')).stderr).toContain('Nothing has changed');
  });

  it('uses what add, disable, enable and remove change, at once and without a restart', async () => {
    await using person = await Person.arrive();
    await person.configure({ mcpServers: {} });
    await using mcpmux = await serving(person);
    const command = [ECHO.command, ...ECHO.args];
    const added = await person.mcpmux('add', 'echo', '--', ...command);
    expect(added).toMatchObject({ code: 0 });
    expect(added.stderr).toContain(`Applied to the running mcpmux with pid ${mcpmux.child.pid}`);
    expect(added.stderr).toMatch(/●  echo  running {2}2 tools/);
    expect(await person.mcpmux('call', 'echo.echo', 'message=hi')).toMatchObject({ stdout: 'hi\n', code: 0 });
    await person.mcpmux('disable', 'echo');
    expect(await person.mcpmux('call', 'echo.echo', 'message=hi')).toMatchObject({ stdout: '', code: 2 });
    expect((await person.mcpmux('enable', 'echo')).stderr).toMatch(/●  echo  running/);
    await person.mcpmux('remove', 'echo');
    expect(await listed(person)).toMatchObject({ instance: mcpmux.child.pid, servers: [] });
  });

  it('says of a server that does not start why not, after add and after reload; --no-reload leaves it out', async () => {
    await using person = await Person.arrive();
    await person.configure({ mcpServers: {} });
    await using mcpmux = await serving(person);
    const late = await person.mcpmux('add', 'late', '--no-reload', '--', ECHO.command, ...ECHO.args);
    expect(late).toMatchObject({ code: 0 });
    expect(late.stderr).not.toContain('Applied');
    const typo = await person.mcpmux('add', 'typo', '--', 'no-such-program-here');
    expect(typo).toMatchObject({ code: 4 });
    expect(typo.stderr).toMatch(/✖  typo  crashed .*no-such-program-here.*\nNext: mcpmux doctor typo/);
    await person.configure({ mcpServers: { bad: { command: 'no-such-program-here' } } });
    const reloaded = await person.mcpmux('reload');
    expect(reloaded).toMatchObject({ code: 4, stdout: '+ bad\n- late\n- typo\n' });
    expect(reloaded.stderr).toContain('✖  bad');
    expect(mcpmux.child.exitCode).toBeNull();
  });

  it('keeps everything when the config cannot be used, and says where it is broken', async () => {
    await using person = await Person.arrive();
    await person.configure({ mcpServers: { echo: ECHO } });
    await using mcpmux = await serving(person);
    await logged(mcpmux, '[echo] server running');
    await person.configure('{\n  "mcpServers": {\n');
    const refused = await person.mcpmux('reload');
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('the servers are unchanged');
    expect(refused.stderr).toMatch(/config\.json:\d+:\d+/);
    expect(mcpmux.stderr.match(/started a server process/g)).toHaveLength(1);
  });

  it('restarts a server by name; one that it does not have is answered with 6', async () => {
    await using person = await Person.arrive();
    await person.configure({ mcpServers: { echo: ECHO } });
    await using mcpmux = await serving(person);
    await logged(mcpmux, '[echo] server running');
    expect(await person.mcpmux('reload', 'echo')).toMatchObject({ code: 0 });
    expect(mcpmux.stderr.match(/started a server process/g)).toHaveLength(2);
    expect(await person.mcpmux('reload', 'ecoh')).toMatchObject({ code: 6 });
  });

  it('--watch applies changes to the config by itself', async () => {
    await using person = await Person.arrive();
    await person.configure({ mcpServers: {} });
    await using mcpmux = await serving(person, '--watch');
    await person.mcpmux('add', 'echo', '--', ECHO.command, ...ECHO.args);
    await logged(mcpmux, '[echo] server running');
    await person.mcpmux('remove', 'echo');
    await logged(mcpmux, '[echo] a server process has exited');
    expect(await listed(person)).toMatchObject({ instance: mcpmux.child.pid, servers: [] });
  });

  it('--only starts what it names, --catalog makes its file', async () => {
    await using person = await Person.arrive();
    await person.configure({ mcpServers: { one: ECHO, two: ECHO } });
    {
      await using mcpmux = await serving(person, '--only', 'two');
      await logged(mcpmux, '[two] server running');
      expect(mcpmux.stderr).not.toContain('[one]');
    }
    await using other = await serving(person, '--catalog', 'mine.json');
    expect((await listed(person, '--catalog', 'mine.json')).instance).toBe(other.child.pid);
    expect(await person.read('mine.json')).toContain('mcpServers');
  });

  it('tells its logs, in the order in which they came', async () => {
    await using person = await Person.arrive();
    await person.configure({ mcpServers: { echo: ECHO, talker: TALKER } });
    await using mcpmux = await serving(person);
    for (const name of ['echo', 'talker']) await logged(mcpmux, `[${name}] server running`);
    await mcpmux.call('talker__talk', { lines: 2 });
    const all = await person.mcpmux('logs');
    expect(all).toMatchObject({ code: 0, stderr: '' });
    const times = all.stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' ', 1)[0] ?? '');
    expect(times.length).toBeGreaterThan(4);
    expect(times).toEqual(times.toSorted());
    const one = await person.mcpmux('logs', 'echo', '--json', '--lines', '1');
    expect(JSON.parse(one.stdout)).toMatchObject({ server: 'echo', kind: 'event' });
    expect(await person.mcpmux('logs', 'ecoh')).toMatchObject({ code: 6 });
  });

  it('tells its logs as they come, until it ends', async () => {
    await using person = await Person.arrive();
    await person.configure({ mcpServers: { echo: ECHO } });
    const mcpmux = await serving(person);
    await logged(mcpmux, '[echo] server running');
    const following = person.start('logs', '--follow', '--json');
    await following.until('server running');
    await mcpmux.call('add_server', { name: 'late', ...ECHO });
    await following.until('"server":"late"');
    await mcpmux[Symbol.asyncDispose]();
    const { code, stdout } = await following.ended;
    expect(code).toBe(0);
    for (const line of stdout.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('server');
  });

  it('is found with all others of this person, whatever they serve', async () => {
    await using person = await Person.arrive();
    await person.configure({ mcpServers: { echo: ECHO } });
    await using one = await serving(person);
    await using two = await serving(person, '--no-config');
    await logged(one, '[echo] server running');
    const all = (await person.json('list', '--all')) as readonly {
      readonly pid: number;
      readonly servers: readonly unknown[];
    }[];
    expect(all.map(({ pid, servers }) => [pid, servers.length])).toEqual([
      [two.child.pid, 0],
      [one.child.pid, 1],
    ]);
    const named = await person.mcpmux('logs', '--pid', String(one.child.pid));
    expect(named.stdout).toContain('echo');
  });

  it('is the newest of several with the same config, and the command says which others there are', async () => {
    await using person = await Person.arrive();
    await person.configure({ mcpServers: { echo: ECHO } });
    await using one = await serving(person);
    await using two = await serving(person);
    await logged(two, '[echo] server running');
    const { stderr, code } = await person.mcpmux('reload', 'echo');
    const [newest, other] = [two.child.pid, one.child.pid];
    expect(code).toBe(0);
    expect(stderr).toContain(`The newest mcpmux with this config has pid ${newest}; others: --pid ${other}`);
  });

  it('takes its announcement and its socket away at its end; one that was killed is cleared by the next command', async () => {
    await using person = await Person.arrive();
    const folder = join(person.home, 'run');
    {
      await using mcpmux = await serving(person);
      expect(await readdir(folder)).toHaveLength(2);
      expect(mcpmux.child.pid).toBeGreaterThan(0);
    }
    expect(await readdir(folder)).toEqual([]);
    const killed = await serving(person);
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(await readdir(folder)).not.toEqual([]);
    expect((await person.mcpmux('list', '--all')).stderr).toContain('No mcpmux is running');
    expect(await readdir(folder)).toEqual([]);
  });

  it('--no-socket makes none', async () => {
    await using person = await Person.arrive();
    const mcpmux = new RawCli({
      args: ['--no-socket', '--log-level', 'debug'],
      env: person.environment,
      cwd: person.home,
    });
    await mcpmux.initialize();
    mcpmux.child.stdin.end();
    await once(mcpmux.child, 'exit');
    expect(existsSync(join(person.home, 'run'))).toBe(false);
  });
});

describe('mcpmux top', () => {
  it('without a terminal shows servers, calls and logs once', async () => {
    await using person = await Person.arrive();
    await person.configure({ mcpServers: { echo: ECHO, gone: { command: 'no-such-program' } } });
    await using mcpmux = await serving(person);
    await logged(mcpmux, '[echo] server running');
    await mcpmux.call('echo__echo', { message: 'hi' });
    const shown = await person.mcpmux('top');
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toContain(`mcpmux ${mcpmux.child.pid}`);
    expect(shown.stdout).toMatch(/▸ ● {2}echo +running +\d+ +1 +0 +0 /);
    expect(shown.stdout).toMatch(/✖ {2}gone +crashed/);
    expect(shown.stdout).toContain('server running');
    expect(await person.json('top')).toMatchObject({
      pid: mcpmux.child.pid,
      servers: [
        { name: 'echo', calls: { count: 1, failed: 0, running: 0 } },
        { name: 'gone', status: 'crashed' },
      ],
    });
  });

  it.skipIf(!hasTerminals)(
    'on one shows what happens, obeys keys, and leaves the screen as it was',
    async () => {
      await using person = await Person.arrive();
      await person.configure({ mcpServers: { echo: ECHO, talker: TALKER } });
      await using mcpmux = await serving(person);
      for (const name of ['echo', 'talker']) await logged(mcpmux, `[${name}] server running`);
      await using terminal = new Terminal([NODE, CLI, 'top'], { cwd: person.home, env: person.environment });
      await terminal.until(/▸ ●.*echo/);
      terminal.type('\t');
      await terminal.until('No calls yet.');
      await mcpmux.call('echo__echo', { message: 'hi' });
      await terminal.until(/ echo {2}[\d.]+ ms/);
      terminal.type('j');
      await terminal.until(/▸ ●.*talker/);
      terminal.type('r');
      await terminal.until('Restarted talker.');
      expect(mcpmux.stderr.match(/\[talker\] started a server process/g)).toHaveLength(2);
      terminal.type('dd');
      await terminal.until('Removed talker.');
      terminal.type('q');
      const { code } = await terminal.end();
      expect(code).toBe(0);
      expect(terminal.screen.startsWith('\u001B[?1049h')).toBe(true);
      expect(terminal.screen.endsWith('\u001B[?25h\u001B[?1049l')).toBe(true);
    },
  );

  it.skipIf(!hasTerminals)('ends when the mcpmux does, and says so', async () => {
    await using person = await Person.arrive();
    await person.configure({ mcpServers: { echo: ECHO } });
    const mcpmux = await serving(person);
    await using terminal = new Terminal([NODE, CLI, 'top'], { cwd: person.home, env: person.environment });
    await terminal.until(/▸ .*echo/);
    await mcpmux[Symbol.asyncDispose]();
    const { code, text } = await terminal.end();
    expect(code).toBe(0);
    expect(text).toContain(`The mcpmux with pid ${mcpmux.child.pid} has ended.`);
  });
});

it('a server that a command restarts is told what the agent can do, not the command', async () => {
  await using person = await Person.arrive();
  await person.configure({ mcpServers: { log: fixtureServer('requests-log') } });
  await using mcpmux = new RawCli({ env: person.environment, cwd: person.home });
  await mcpmux.request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: { roots: { listChanged: true } },
    clientInfo: { name: 'agent', version: '1' },
  });
  await logged(mcpmux, 'commands can reach this mcpmux');
  await logged(mcpmux, '[log] server running');
  expect(await person.mcpmux('reload', 'log')).toMatchObject({ code: 0 });
  const { result } = await mcpmux.call('log__received');
  const initialize = JSON.stringify(result).match(/initialize.*?clientInfo/)?.[0] ?? '';
  expect(initialize).toContain('roots');
});
