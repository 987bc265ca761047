import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import process from 'node:process';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { run } from './testing/pack.js';
import { Person } from './testing/person.js';
import { RawCli } from './testing/raw-cli.js';

const NAME = '@example/files';

let person: Person;
let registry: Server;
let env: Readonly<Record<string, string>>;
let latest = '1.0.0';

/** A package whose one tool is described by its version. Its program is the server of the guide. */
async function packed(version: string): Promise<Buffer> {
  const server = await readFile(new URL('testing/weather-server.mjs', import.meta.url), 'utf8');
  const described = server.replace("name: 'forecast',", `name: 'forecast', description: 'Of ${version}',`);
  await person.write(`${version}/server.mjs`, `#!/usr/bin/env node\n${described}`);
  const manifest = { name: NAME, version, bin: 'server.mjs' };
  const file = await person.write(`${version}/package.json`, manifest);
  await run('npm', ['pack', '--silent'], dirname(file));
  return readFile(join(dirname(file), `example-files-${version}.tgz`));
}

beforeAll(async () => {
  person = await Person.arrive();
  const packages = new Map([
    ['1.0.0', await packed('1.0.0')],
    ['1.1.0', await packed('1.1.0')],
  ]);
  registry = createServer(({ url = '', headers }, response) => {
    const tarball = packages.get(/^\/(.*)\.tgz$/.exec(url)?.[1] ?? '');
    if (tarball !== undefined) return response.end(tarball);
    const versions = [...packages.keys()].map((version) => {
      const dist = { tarball: `http://${headers.host}/${version}.tgz` };
      return [version, { name: NAME, version, bin: { files: 'server.mjs' }, dist }];
    });
    const body = { name: NAME, 'dist-tags': { latest }, versions: Object.fromEntries(versions) as object };
    return response.end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  env = {
    ...person.environment,
    PATH: process.env['PATH'] ?? '',
    npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}`,
    npm_config_cache: join(person.home, 'cache'),
    npm_config_prefer_online: 'true',
  };
});

afterAll(async () => {
  registry.closeAllConnections();
  registry.close();
  await person[Symbol.asyncDispose]();
});

async function descriptions(mcpmux: RawCli): Promise<readonly unknown[]> {
  const { result } = await mcpmux.request('tools/list');
  const tools = result?.['tools'] as readonly { readonly name: string; readonly description?: string }[];
  return tools.filter(({ name }) => name === 'files__forecast').map(({ description }) => description);
}

it('a package of npm stays at its version until a person upgrades it, and a client gets the new tools', async () => {
  const added = await person.run(['add', 'files', `npm:${NAME}`], { env });
  expect(added).toMatchObject({ code: 0 });
  const config = async (): Promise<unknown> => JSON.parse(await person.read('.config/mcpmux/config.json'));
  expect(await config()).toMatchObject({ mcpServers: { files: { args: ['-y', `${NAME}@1.0.0`] } } });
  latest = '1.1.0';
  const args = ['serve', '--config', person.config, '--pin-tools', 'block'];
  await using mcpmux = new RawCli({ args, env });
  await mcpmux.initialize();
  expect(await descriptions(mcpmux)).toEqual(['Of 1.0.0']);
  const looked = await person.run(['outdated'], { env });
  expect(looked.stdout).toBe(`files  npm ${NAME}  1.0.0 → 1.1.0\n`);
  const upgraded = await person.run(['upgrade', '--yes'], { env });
  expect(upgraded.stderr).toContain('files  1.0.0 → 1.1.0\n  ~ forecast: description\nUpgraded files in ');
  expect(upgraded.stderr).toContain('Back: mcpmux upgrade files --to 1.0.0\n');
  expect(upgraded).toMatchObject({ code: 0 });
  expect(await config()).toMatchObject({ mcpServers: { files: { args: ['-y', `${NAME}@1.1.0`] } } });
  expect(await descriptions(mcpmux)).toEqual(['Of 1.1.0']);
  const back = await person.run(['upgrade', 'files', '--to', '1.0.0', '--yes', '--json'], { env });
  expect(JSON.parse(back.stdout)).toMatchObject({
    written: true,
    upgrades: [{ name: 'files', from: '1.1.0', to: '1.0.0', changes: { changed: [{ tool: 'forecast' }] } }],
  });
  expect(await descriptions(mcpmux)).toEqual(['Of 1.0.0']);
}, 180_000);
