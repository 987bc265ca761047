import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { strToU8, zipSync } from 'fflate';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { CLI, cleanEnvironment, NODE } from './testing/built-cli.js';
import { RawCli } from './testing/raw-cli.js';
import { textOf } from './testing/tool-response.js';

let folder = '';
let file = '';
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'mcpmux-e2e-bundles-')));
  file = join(folder, 'mcpmux.json');
  await writeFile(file, '{}');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The server of docs/guides/write-a-server.md as a bundle, whose answers end with its only argument. */
async function writeBundle(version: string): Promise<string> {
  const source = await readFile(new URL('testing/weather-server.mjs', import.meta.url), 'utf8');
  const server = source.replace(
    '`rain in ${city}`',
    '`rain in ${city} ${process.argv[2]} ${process.env.KEY}`',
  );
  const manifest = {
    manifest_version: '0.3',
    name: 'weather',
    version,
    description: 'Weather',
    author: { name: 'Ann' },
    server: {
      type: 'node',
      entry_point: 'server/index.mjs',
      mcp_config: {
        command: NODE,
        args: ['${__dirname}/server/index.mjs', '${user_config.units}'],
        env: { KEY: '${user_config.api_key}' },
      },
    },
    user_config: {
      units: { type: 'string', title: 'Units', description: 'of the answers', default: 'metric' },
      api_key: {
        type: 'string',
        title: 'Key',
        description: 'of the service',
        sensitive: true,
        required: true,
      },
    },
  };
  const path = join(folder, `weather-${version}.mcpb`);
  const files = { 'manifest.json': strToU8(JSON.stringify(manifest)), 'server/index.mjs': strToU8(server) };
  await writeFile(path, zipSync(files));
  return path;
}

const environment = () => ({ XDG_STATE_HOME: folder, MCPMUX_RUNTIME_DIR: join(folder, 'run') });

/** Runs a command. Resolves with what it prints for people. */
async function command(...args: readonly string[]): Promise<string> {
  const options = { env: cleanEnvironment(environment()), cwd: folder };
  const { stderr } = await promisify(execFile)(NODE, [CLI, ...args, '--config', file], options);
  return stderr;
}

const bundles = () => readdir(join(folder, 'mcpmux', 'bundles'));

async function forecast(mcpmux: RawCli): Promise<string> {
  return textOf(await mcpmux.call('weather__forecast', { city: 'Rome' }));
}

it('mcpmux add installs a bundle in a running mcpmux, replaces it, and remove deletes its files', async () => {
  const first = await writeBundle('1.0.0');
  const args = ['--config', file];
  await using mcpmux = new RawCli({ args, cwd: folder, env: environment() });
  await mcpmux.initialize();
  await mcpmux.request('tools/list');
  const shown = await command('add', first, '-e', 'units=imperial', '-e', 'api_key=k1');
  expect(shown).toContain('Using weather 1.0.0 of weather-1.0.0.mcpb');
  expect(await forecast(mcpmux)).toBe('rain in Rome imperial k1');
  const before = await bundles();
  expect(before).toHaveLength(1);
  await command('add', await writeBundle('2.0.0'), '--force', '-e', 'api_key=k2');
  expect(await forecast(mcpmux)).toBe('rain in Rome metric k2');
  const after = await bundles();
  expect(after).toHaveLength(1);
  expect(after).not.toEqual(before);
  await command('remove', 'weather');
  expect(await bundles()).toEqual([]);
  expect(await readFile(file, 'utf8')).not.toContain('weather');
});

it('a bundle that is none, or whose name is taken, changes nothing', async () => {
  await writeFile(join(folder, 'bad.mcpb'), 'no zip file');
  await expect(command('add', './bad.mcpb')).rejects.toThrow('bad.mcpb cannot be used');
  const bundle = await writeBundle('1.0.0');
  await command('add', 'w', bundle, '-e', 'api_key=k1', '--no-check');
  const [config, files] = [await readFile(file, 'utf8'), await bundles()];
  await expect(command('add', 'w', bundle, '-e', 'api_key=k2')).rejects.toThrow('already has a server "w"');
  expect(await command('add', 'v', bundle, '-e', 'api_key=k1', '--dry-run')).toContain('would change');
  expect([await readFile(file, 'utf8'), await bundles()]).toEqual([config, files]);
});
