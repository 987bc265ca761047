import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { fixtureCommand } from '@mcpmux/test-servers';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { beforeAll, expect, it } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../', import.meta.url));
const { command, args } = fixtureCommand('echo');

/** Runs an example as it was compiled, and returns its stdout. */
async function runExample(name: string, ...words: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [join(root, 'dist', `${name}.js`), ...words], { cwd: root });
  return stdout;
}

// against the built packages, as a host has them: no condition leads to their sources
beforeAll(async () => {
  const compiler = join(root, '../node_modules/typescript/bin/tsc');
  await run(process.execPath, [compiler, '-p', join(root, 'tsconfig.run.json')]);
});

it('cli-agent.ts answers with the tools of a config file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mcpmux-example-'));
  const file = join(folder, 'mcpmux.json');
  await writeFile(file, JSON.stringify({ mcpServers: { e: { command, args } } }));
  expect(await runExample('cli-agent', file, 'hi')).toBe('The tool says: hi\n');
  await rm(folder, { recursive: true });
});

it('guard.ts changes, refuses and records', async () => {
  expect(await runExample('guard', command, ...args)).toBe(
    'e.echo: ok\npay with [card]\ne.echo: refused\nOnly admins delete. Nothing was deleted.\n',
  );
});

it('in-process.ts calls a server without a process', async () => {
  expect(await runExample('in-process')).toBe('calc__add: Adds two numbers.\n42\n');
});

it('serve-http.ts serves a client with its token, refuses others and ends at SIGTERM', async () => {
  const token = ['a', 'token', 'of', 'a', 'test', 'for', 'the', 'example'].join('-');
  const env = { ...process.env, MCP_TOKEN: token };
  const child = spawn(process.execPath, [join(root, 'dist', 'serve-http.js'), command, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const url = new URL(line.toString().trim());
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
  const client = new Client({ name: 'test', version: '1' });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  await expect(client.callTool({ name: 'files__echo', arguments: { message: 'hi' } })).resolves.toMatchObject(
    {
      content: [{ text: 'hi' }],
    },
  );
  await client.close();
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});

it.each(['node-http', 'express', 'hono'])(
  'beside-%s.ts serves MCP and the page of the host at one port, and ends at SIGTERM',
  async (host) => {
    const child = spawn(process.execPath, [join(root, 'dist', `beside-${host}.js`), command, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const url = new URL(line.toString().trim());
    expect(await (await fetch(new URL('/', url))).text()).toBe('The page of the host\n');
    const rebound = await fetch(url, {
      method: 'POST',
      body: '{}',
      headers: { origin: 'http://evil.example' },
    });
    expect(rebound.status).toBe(403);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(url));
    const result = client.callTool({ name: 'files__echo', arguments: { message: 'hi' } });
    await expect(result).resolves.toMatchObject({ content: [{ text: 'hi' }] });
    await client.close();
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  },
);
