import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { cleanEnvironment } from './testing/built-cli.js';
import { pack, run } from './testing/pack.js';

const execute = promisify(execFile);
const PACKAGES = [
  'kit',
  'namespace',
  'wire',
  'programs',
  'clients',
  'remote',
  'sandbox',
  'core',
  'cluster',
  'code-mode',
  'http',
  'config',
  'dashboard',
  'cli',
  'test-servers',
] as const;
const INSTALL_DEADLINE_MS = 600_000;

/** Packs the packages of this repository as they are published, and returns the archives. */
async function packAll(destination: string): Promise<string[]> {
  const [first, ...others] = PACKAGES;
  // the first one fetches pnpm, if need be: not all of them at once
  await pack(first, destination);
  await Promise.all(others.map((name) => pack(name, destination)));
  return (await readdir(destination)).map((file) => join(destination, file));
}

const once = process.env['E2E_NODE'] === undefined;
const reason = once ? '' : ' (skipped: E2E_NODE is set, and the packages are the same for every Node.js)';

describe.skipIf(!once)(`the packed packages, installed into an empty folder${reason}`, () => {
  let root: string;
  let project: string;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'mcpmux-packages-'));
    project = join(root, 'project');
    const archives = join(root, 'archives');
    await Promise.all([mkdir(project), mkdir(archives)]);
    const packed = await packAll(archives);
    await writeFile(join(project, 'package.json'), '{"private":true,"type":"module"}');
    await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...packed], project);
  }, INSTALL_DEADLINE_MS);

  afterAll(() => rm(root, { recursive: true, force: true }));

  it('npx mcpmux --version prints the version of the package', async () => {
    const manifest = JSON.parse(await run('npm', ['ls', '@mcpmux/cli', '--json'], project)) as {
      readonly dependencies: Readonly<Record<string, { readonly version: string }>>;
    };
    const version = await run('npx', ['--no-install', 'mcpmux', '--version'], project);
    expect(version.trim()).toBe(manifest.dependencies['@mcpmux/cli']?.version);
  });

  it('the installed mcpmux adds a server, calls its tool and removes it', async () => {
    const client = new Client({ name: 'packaging', version: '1' });
    const transport = new StdioClientTransport({
      command: join(project, 'node_modules', '.bin', 'mcpmux'),
      args: ['--log-level', 'error'],
      cwd: project,
      env: cleanEnvironment(),
    });
    await client.connect(transport);
    try {
      const command = join(project, 'node_modules', '.bin', 'mcpmux-echo');
      const call = (name: string, args: Record<string, unknown>): ReturnType<Client['callTool']> =>
        client.callTool({ name, arguments: args });
      await expect(call('add_server', { name: 'packed', command })).resolves.toMatchObject({
        structuredContent: { name: 'packed', status: 'running' },
      });
      await expect(call('packed__echo', { message: 'from the package' })).resolves.toMatchObject({
        content: [{ type: 'text', text: 'from the package' }],
      });
      await expect(call('remove_server', { name: 'packed' })).resolves.toMatchObject({
        structuredContent: { removed: true },
      });
    } finally {
      await client.close();
    }
  });

  it('--telemetry without OpenTelemetry says what to install', async () => {
    const serve = run('npx', ['--no-install', 'mcpmux', 'serve', '--telemetry'], project);
    await expect(serve).rejects.toThrow('npm install @mcpmux/cli @opentelemetry/api');
  });

  it('the schema of configs is in the package of the command', async () => {
    const shipped = await readFile(
      join(project, 'node_modules/@mcpmux/cli/schema/mcpmux.schema.json'),
      'utf8',
    );
    const printed = await run('npx', ['mcpmux', 'config', 'schema'], project);
    expect(JSON.parse(shipped)).toEqual(JSON.parse(printed));
  });

  it('somebody new makes a config, adds a server and calls it, with npx and without a network', async () => {
    const home = join(root, 'home');
    await mkdir(home);
    const env = cleanEnvironment({
      HOME: home,
      USERPROFILE: home,
      XDG_CONFIG_HOME: join(home, '.config'),
      XDG_STATE_HOME: join(home, '.local', 'state'),
      MCPMUX_RUNTIME_DIR: join(home, 'run'),
    });
    const mcpmux = async (...words: readonly string[]): Promise<string> => {
      const options = { cwd: project, env, shell: process.platform === 'win32' };
      return (await execute('npx', ['--offline', 'mcpmux', ...words], options)).stdout;
    };
    await mcpmux('init');
    await mcpmux('add', 'packed', '--', join(project, 'node_modules', '.bin', 'mcpmux-echo'));
    expect(await mcpmux('call', 'packed.echo', 'message=hi')).toBe('hi\n');
  });

  it('the libraries are imported by name and work', async () => {
    const program = `
      import * as clients from '@mcpmux/clients';
      import * as cluster from '@mcpmux/cluster';
      import { codeMode } from '@mcpmux/code-mode';
      import * as config from '@mcpmux/config';
      import * as found from '@mcpmux/config/find';
      import * as followed from '@mcpmux/config/follow';
      import { createMux } from '@mcpmux/core';
      import { createHttpFront } from '@mcpmux/http';
      import * as namespace from '@mcpmux/namespace';
      import * as wire from '@mcpmux/wire';
      const mux = createMux();
      mux.use(codeMode());
      const front = createHttpFront(mux);
      const url = await front.listen();
      const hasNames = [clients, cluster, config, found, followed, namespace, wire].every((library) => Object.keys(library).length > 0);
      console.log(JSON.stringify([mux.listServers(), hasNames, url.startsWith('http://127.0.0.1:')]));
      await front.close();
      await mux.close();
    `;
    const file = join(project, 'embedding.mjs');
    await writeFile(file, program);
    await expect(run(process.execPath, [file], project)).resolves.toBe('[[],true,true]\n');
  });

  it('no archive holds sources of tests or anything of the workspace', async () => {
    for (const name of PACKAGES) {
      const files = await readdir(join(project, 'node_modules', '@mcpmux', name), { recursive: true });
      expect(files.filter((file) => /\.test\.|tsconfig|(?:^|[\\/])testing[\\/]/.test(file))).toEqual([]);
      expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'package.json']));
    }
  });
});
