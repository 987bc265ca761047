import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

import { expect, it } from 'vitest';

import { CLI, NODE } from './testing/built-cli.js';
import { fixtureServer } from './testing/fixture-server.js';
import { Person } from './testing/person.js';
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

/** A `mcpmux ui` that starts a mcpmux: resolves when it has printed its link. */
async function starting(person: Person, ...words: readonly string[]) {
  const args = [CLI, 'ui', '--no-open', '--json', ...words];
  const child = spawn(NODE, args, { env: person.environment, cwd: person.home, stdio: 'pipe' });
  const out = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (out.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (out.stderr += chunk.toString()));
  const printed = (): Printed | undefined =>
    out.stdout.trimEnd().endsWith('}') ? (JSON.parse(out.stdout) as Printed) : undefined;
  await expect.poll(printed).toBeDefined();
  return { child, out, printed: printed() ?? { pid: 0, url: '' } };
}

it('mcpmux ui starts a mcpmux where none runs, which ends with it', async () => {
  await using person = await Person.arrive();
  await person.configure({ mcpServers: { echo: fixtureServer('echo') } });
  const { child, out, printed } = await starting(person);
  await expect.poll(() => out.stderr).toContain('[echo] server running');
  // The one link is the printed one.
  expect(out.stderr).not.toContain('/ui/#');
  const { origin } = new URL(printed.url);
  for (const path of ['/mcp', '/metrics', '/healthz'])
    expect((await fetch(`${origin}${path}`)).status).toBe(404);
  expect(out.stderr).toContain(`serving the page at ${origin}/ui/`);
  const overview = { mayManage: true, servers: [{ name: 'echo', status: 'running' }] };
  expect(await opened(printed.url)).toMatchObject({ ...overview, mcpmux: { pid: printed.pid } });
  child.kill('SIGTERM');
  const [code] = (await once(child, 'exit')) as readonly unknown[];
  expect(code).toBe(143);
  await expect(fetch(new URL('/ui/', printed.url))).rejects.toThrow('fetch failed');
});

it('mcpmux ui --read-only is for reading only where it starts a mcpmux, too', async () => {
  await using person = await Person.arrive();
  await person.configure({ mcpServers: { echo: fixtureServer('echo') } });
  const { child, out, printed } = await starting(person, '--read-only');
  expect(await opened(printed.url)).toMatchObject({ mayManage: false });
  expect(out.stderr).not.toContain('/ui/#');
  child.kill('SIGTERM');
  await once(child, 'exit');
});

it('mcpmux ui starts a mcpmux for a config that the running one does not serve', async () => {
  await using person = await Person.arrive();
  await using running = await serving(person);
  const other = join(person.home, 'other.json');
  await writeFile(other, JSON.stringify({ mcpServers: { other: fixtureServer('echo') } }));
  const { child, printed } = await starting(person, '--config', other);
  expect(printed.pid).not.toBe(running.child.pid);
  expect(await opened(printed.url)).toMatchObject({ servers: [{ name: 'other' }] });
  child.kill('SIGTERM');
  await once(child, 'exit');
});

it.skipIf(!hasTerminals)(
  'mcpmux ui opens the link in the browser, and shows it to no other user',
  async () => {
    await using person = await Person.arrive();
    await using mcpmux = await serving(person);
    const [folder, seen, file] = ['bin', 'opened', 'file'].map((name) => join(person.home, name)) as [
      string,
      string,
      string,
    ];
    await mkdir(folder);
    for (const name of ['xdg-open', 'open'])
      await writeFile(join(folder, name), `#!/bin/sh\nprintf %s "$*" > "${file}"\ncp "$1" "${seen}"\n`, {
        mode: 0o755,
      });
    const env = { ...person.environment, PATH: `${folder}:${process.env['PATH']}` };
    await using terminal = new Terminal([NODE, CLI, 'ui'], { env, cwd: person.home, columns: 200 });
    await terminal.until(`the page of the mcpmux with pid ${mcpmux.child.pid}`);
    await expect.poll(() => readFile(seen, 'utf8').catch(() => '')).toContain('/ui/#');
    const link = /url=([^"]+)"/.exec(await readFile(seen, 'utf8'))?.[1] ?? '';
    const shown = await readFile(file, 'utf8');
    expect(shown).not.toContain(new URL(link).hash);
    expect((await stat(shown)).mode & 0o777).toBe(0o600);
    expect(await opened(link)).toMatchObject({ mayManage: true });
    await expect(stat(shown)).rejects.toThrow('ENOENT');
  },
);

it('serve --ui read-only prints a link for reading only', async () => {
  await using person = await Person.arrive();
  const args = [CLI, 'serve', '--http', '0', '--ui', 'read-only'];
  const child = spawn(NODE, args, { env: person.environment, cwd: person.home, stdio: 'pipe' });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await expect.poll(() => stderr).toMatch(/\/ui\/#\S+\n/);
  const link = /at (\S+\/ui\/#\S+)/.exec(stderr)?.[1] ?? '';
  expect(await opened(link)).toMatchObject({ mayManage: false });
  child.kill('SIGTERM');
  await once(child, 'exit');
});

it('serve --ui is refused where other machines can connect', async () => {
  await using person = await Person.arrive();
  const { stderr, code } = await person.mcpmux('serve', '--http', '0.0.0.0:0', '--insecure', '--ui');
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('loopback') as string });
});
