import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { CHROMIUM, NO_CHROMIUM, openBrowser } from './testing/browser.js';
import { fixtureServer } from './testing/fixture-server.js';
import { HttpCli } from './testing/http-cli.js';
import { show } from './testing/page-browser.js';
import { Person } from './testing/person.js';
import { RawCli } from './testing/raw-cli.js';

const SECRET = 'hunter2hunter2';
const FILE = join('.local', 'state', 'mcpmux', 'history.ndjson');
const servers = {
  e: { ...fixtureServer('echo'), env: { API_TOKEN: SECRET } },
  other: fixtureServer('echo'),
};

interface Line {
  readonly server: string;
  readonly tool: string;
  readonly ending: string;
  readonly client: string;
  readonly arguments?: string;
  readonly result?: string;
}

/** One session of a client, which ends with its stdin. */
async function session(person: Person, calls: (cli: RawCli) => Promise<unknown>): Promise<void> {
  const cli = new RawCli({ env: person.environment, cwd: person.home });
  await cli.initialize();
  // The first list waits for the servers.
  await cli.request('tools/list');
  await calls(cli);
  cli.child.stdin.end();
  expect(await cli.ended).toMatchObject({ code: 0 });
}

async function exported(person: Person, ...words: readonly string[]): Promise<readonly Line[]> {
  const { stdout, code } = await person.mcpmux('history', '--json', ...words);
  expect(code).toBe(0);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

describe('the history of calls', () => {
  it('is off until the config turns it on, and outlives the mcpmux that made the calls', async () => {
    await using person = await Person.arrive();
    await person.configure({ mcpServers: servers });
    await session(person, (cli) => cli.call('e__echo', { message: 'before' }));
    expect(existsSync(join(person.home, FILE))).toBe(false);
    const empty = await person.mcpmux('history');
    expect(empty).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'No call is stored. Next: mcpmux config set mux.history true\n',
    });
    expect(await person.mcpmux('config', 'set', 'mux.history', 'true')).toMatchObject({ code: 0 });
    await session(person, (cli) => cli.call('e__echo', { message: SECRET }));
    await session(person, async (cli) => {
      await cli.call('other__slow_echo', { message: 'two', delay_ms: 0 });
      await cli.call('e__echo', { message: 'three' });
    });
    const all = await exported(person);
    expect(all.map(({ server, tool, ending }) => `${server}.${tool} ${ending}`)).toEqual([
      'e.echo result',
      'other.slow_echo result',
      'e.echo result',
    ]);
    expect(await exported(person, '--server', 'other')).toEqual([all[1]]);
    expect(await exported(person, '--tool', 'echo', '--last', '1')).toEqual([all[2]]);
    const { stdout } = await person.mcpmux('history', '--last', '2');
    expect(stdout).toMatch(/^\S+Z {2}other\.slow_echo {2}result {2}\S+ ms .*\n\S+Z {2}e\.echo .*\n$/);
    // What was said is not stored.
    expect(await person.read(FILE)).not.toMatch(/hunter2|three/);
    // Windows has no such modes.
    const mode = process.platform === 'win32' ? 0o600 : (await stat(join(person.home, FILE))).mode & 0o777;
    expect(mode).toBe(0o600);
  });

  it('has arguments and results on wish, without the secrets of the server', async () => {
    await using person = await Person.arrive();
    await person.configure({ mcpServers: servers, mux: { history: { content: true } } });
    await session(person, (cli) => cli.call('e__echo', { message: `say ${SECRET}` }));
    const [{ arguments: sent = '', result = '' } = {}] = await exported(person);
    expect(JSON.parse(sent)).toEqual({ message: 'say [redacted]' });
    expect(JSON.parse(result)).toMatchObject({ content: [{ text: 'say [redacted]' }] });
    expect(await person.read(FILE)).not.toContain(SECRET);
  });

  it('has each call of several mcpmux that write at the same time', async () => {
    await using person = await Person.arrive();
    await person.configure({ mcpServers: servers, mux: { history: true } });
    const calls = async (cli: RawCli): Promise<void> => {
      for (let call = 0; call < 40; call += 1) await cli.call('e__echo', { message: `${call}` });
    };
    await Promise.all([session(person, calls), session(person, calls), session(person, calls)]);
    expect(await exported(person)).toHaveLength(120);
  });

  it.skipIf(CHROMIUM === undefined)(`is in the list of the page after a restart${NO_CHROMIUM}`, async () => {
    await using person = await Person.arrive();
    await person.configure({ mcpServers: servers, mux: { history: true } });
    await session(person, (cli) => cli.call('other__echo', { message: 'one' }));
    await using mux = await HttpCli.open({
      args: ['--ui', '--config', person.config],
      env: person.environment,
    });
    await mux.until(() => mux.stderr.includes('/ui/#'));
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(/at (\S+\/ui\/#\S+)/.exec(mux.stderr)?.[1] ?? '');
      await show(page, 'Calls');
      const row = page.getByRole('row', { name: /echo other .*result/ });
      await expect.poll(() => row.count()).toBe(1);
    } finally {
      await browser.close();
    }
  });
});
