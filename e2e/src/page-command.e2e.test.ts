import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { expect, it } from 'vitest';

import { CLI, NODE } from './testing/built-cli.js';
import { fixtureServer } from './testing/fixture-server.js';
import { Person } from './testing/person.js';
import { RawCli } from './testing/raw-cli.js';

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

it('mcpmux ui starts a mcpmux where none runs, which ends with it', async () => {
  await using person = await Person.arrive();
  await person.configure({ mcpServers: { echo: fixtureServer('echo') } });
  const args = [CLI, 'ui', '--no-open'];
  const child = spawn(NODE, args, { env: person.environment, cwd: person.home, stdio: 'pipe' });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await expect.poll(() => stderr).toContain('[echo] server running');
  const link = /at (\S+\/ui\/#\S+)/.exec(stderr)?.[1] ?? '';
  expect(await opened(link)).toMatchObject({ servers: [{ name: 'echo', status: 'running' }] });
  child.kill('SIGTERM');
  const [code] = (await once(child, 'exit')) as readonly unknown[];
  expect(code).toBe(143);
  await expect(fetch(new URL('/ui/', link))).rejects.toThrow('fetch failed');
});

it('serve --ui is refused where other machines can connect', async () => {
  await using person = await Person.arrive();
  const { stderr, code } = await person.mcpmux('serve', '--http', '0.0.0.0:0', '--insecure', '--ui');
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('loopback') as string });
});
