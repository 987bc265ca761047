import { chmod } from 'node:fs/promises';
import { delimiter, dirname } from 'node:path';
import process from 'node:process';

import { expect, it } from 'vitest';

import { CLI, NODE } from './testing/built-cli.js';
import { fixtureServer } from './testing/fixture-server.js';
import { HttpCli } from './testing/http-cli.js';
import { Person, type Outcome } from './testing/person.js';
import { RawCli } from './testing/raw-cli.js';
import { hasTerminals, Terminal } from './testing/terminal.js';

interface Printed {
  readonly pid: number;
  readonly url: string;
}

async function serving(person: Person): Promise<RawCli> {
  await person.configure({ mcpServers: { echo: fixtureServer('echo') } });
  const mcpmux = new RawCli({ env: person.environment, cwd: person.home });
  await mcpmux.initialize();
  await mcpmux.until(() => mcpmux.stderr.includes('commands can reach this mcpmux') || undefined);
  return mcpmux;
}

/** Opens a link as the page does. Resolves with the overview, or the status of the refusal. */
async function opened(link: string): Promise<unknown> {
  const { origin, hash } = new URL(link);
  const json = { 'content-type': 'application/json' };
  const body = JSON.stringify({ token: hash.slice(1) });
  const login = await fetch(`${origin}/ui/api/login`, { method: 'POST', headers: json, body });
  if (!login.ok) return login.status;
  const { key } = (await login.json()) as { readonly key: string };
  const [cookie = ''] = (login.headers.get('set-cookie') ?? '').split(';');
  return (await fetch(`${origin}/ui/api/overview`, { headers: { cookie, 'x-mcpmux-page': key } })).json();
}

it('mcpmux ui prints a link to the page of a mcpmux on stdio, whose port serves nothing else', async () => {
  await using person = await Person.arrive();
  await using mcpmux = await serving(person);
  const { stdout, code } = await person.mcpmux('ui', '--no-open', '--json');
  expect(code).toBe(0);
  const { pid, url } = JSON.parse(stdout) as Printed;
  expect(pid).toBe(mcpmux.child.pid);
  const { origin, hostname } = new URL(url);
  expect(hostname).toBe('127.0.0.1');
  expect(await (await fetch(`${origin}/ui/`)).text()).toContain('/ui/page.js');
  for (const path of ['/mcp', '/metrics', '/healthz', '/sse'])
    expect((await fetch(`${origin}${path}`)).status).toBe(404);
  expect(await opened(url)).toMatchObject({ mayManage: true, servers: [{ name: 'echo' }], mcpmux: { pid } });
  expect(await opened(url)).toBe(401);
});

it('mcpmux ui --read-only prints a link to a page that changes nothing, at the same port', async () => {
  await using person = await Person.arrive();
  await using _ = await serving(person);
  const [first, second] = [
    await person.mcpmux('ui', '--no-open', '--json'),
    await person.mcpmux('ui', '--no-open', '--json', '--read-only'),
  ].map(({ stdout }) => (JSON.parse(stdout) as Printed).url);
  expect(new URL(first ?? '').origin).toBe(new URL(second ?? '').origin);
  expect(await opened(second ?? '')).toMatchObject({ mayManage: false });
});

/** Runs `mcpmux ui` with these flags, where no mcpmux serves the config. Resolves with the printed link. */
async function starting(person: Person, ...flags: readonly string[]) {
  const command = person.start('ui', ...flags);
  const link = /https?:\S+\/ui\/#[\w-]+/;
  await command.untilHolds(() => link.test(command.printed), 'a link');
  const end = async (): Promise<Outcome> => {
    // Its mcpmux ends in order with it, and not after SIGKILL.
    process.kill(command.pid, 'SIGTERM');
    return command.ended;
  };
  const printed = link.exec(command.printed)?.[0] ?? '';
  return {
    command,
    link: printed,
    end,
    [Symbol.asyncDispose]: async () => void (await end().catch(() => undefined)),
  };
}

it('mcpmux ui starts a mcpmux where none runs, which ends with it', async () => {
  await using person = await Person.arrive();
  await person.configure({ mcpServers: { echo: fixtureServer('echo') } });
  await using started = await starting(person, '--no-open');
  const { command, link, end } = started;
  await command.told(/\[echo\] server running/);
  expect(await opened(link)).toMatchObject({
    mayManage: true,
    servers: [{ name: 'echo', status: 'running' }],
  });
  const { code, stdout, stderr } = await end();
  expect(code).toBe(143);
  expect(`${stdout}${stderr}`.match(/\/ui\/#/g)).toHaveLength(1);
  await expect(fetch(new URL('/ui/', link))).rejects.toThrow('fetch failed');
});

it('the flags of mcpmux ui hold for a mcpmux that it starts', async () => {
  await using person = await Person.arrive();
  await person.configure({ mcpServers: { echo: fixtureServer('echo') } });
  await using started = await starting(person, '--no-open', '--read-only', '--json');
  const { command, link, end } = started;
  await command.untilHolds(() => command.printed.endsWith('}\n'));
  const { pid, url } = JSON.parse(command.printed) as Printed;
  expect(url).toBe(link);
  expect(await opened(link)).toMatchObject({ mayManage: false, mcpmux: { pid } });
  expect((await end()).stderr).not.toContain('/ui/#');
});

it('mcpmux ui ends with the exit code of a mcpmux that cannot start', async () => {
  await using person = await Person.arrive();
  const config = await person.configure('{ "mcpServers": ');
  const { code, stdout, stderr } = await person.mcpmux('ui', '--no-open', '--json', '--config', config);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(config);
});

it('mcpmux ui starts a mcpmux for its config where only those of other configs run', async () => {
  await using person = await Person.arrive();
  await using other = await serving(person);
  const config = await person.write('mine.json', { mcpServers: { mine: fixtureServer('echo') } });
  await using started = await starting(person, '--no-open', '--config', config);
  const { command, link } = started;
  expect(await opened(link)).toMatchObject({ mcpmux: { config }, servers: [{ name: 'mine' }] });
  const said = await command.told(/No running mcpmux serves[^]*?PID/);
  expect(said).toContain(config);
  expect(said).toContain(`pid ${other.child.pid}: ${person.config}`);
  const again = await person.json('ui', '--no-open', '--config', config);
  expect(new URL((again as Printed).url).origin).toBe(new URL(link).origin);
});

it.skipIf(!hasTerminals)('mcpmux ui opens the link in the browser on a terminal', async () => {
  await using person = await Person.arrive();
  await using _ = await serving(person);
  const opener = await person.write(
    'bin/xdg-open',
    '#!/bin/sh\necho "$@" > "$HOME/new" && mv "$HOME/new" "$HOME/opened"\n',
  );
  await chmod(opener, 0o755);
  const PATH = [dirname(opener), process.env['PATH'] ?? ''].join(delimiter);
  const options = { cwd: person.home, env: { ...person.environment, PATH } };
  const readOpened = async (): Promise<string> => (await person.read('opened')).trim();
  for (const flags of [[], ['--config', await person.write('other.json', { mcpServers: {} })]]) {
    await using terminal = new Terminal([NODE, CLI, 'ui', ...flags], options);
    await terminal.until('/ui/#');
    const printed = /https?:\S+\/ui\/#[\w-]+/.exec(terminal.screen)?.[0];
    await expect.poll(() => readOpened().catch(() => '')).toBe(printed);
  }
  await using silent = new Terminal([NODE, CLI, 'ui', '--no-open'], options);

  const before = await readOpened();
  await silent.until('/ui/#');
  await silent.end();
  expect(await readOpened()).toBe(before);
});

it('serve --ui-read-only prints a link to a page that changes nothing', async () => {
  await using person = await Person.arrive();
  await using mux = await HttpCli.open({ args: ['--ui-read-only', '--no-config'], env: person.environment });
  await mux.until(() => mux.stderr.includes('/ui/#'));
  const link = /at (\S+\/ui\/#\S+)/.exec(mux.stderr)?.[1] ?? '';
  expect(await opened(link)).toMatchObject({ mayManage: false });
});

it('serve --ui is refused where other machines can connect', async () => {
  await using person = await Person.arrive();
  const { stderr, code } = await person.mcpmux('serve', '--http', '0.0.0.0:0', '--insecure', '--ui');
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('loopback') as string });
});
