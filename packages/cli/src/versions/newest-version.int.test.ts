import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { writeNodeProgram } from '@mcpmux/testing/node-program';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { versionFinder } from './newest-version.js';

const DIGEST = `sha256:${'3c'.repeat(32)}`;
/** What Windows needs for batch files. */
const SYSTEM = { SystemRoot: process.env['SystemRoot'], ComSpec: process.env['ComSpec'] };
const UV = `
const name = require('node:fs').readFileSync(0, 'utf8').trim();
if (name === 'odd') {
  process.stderr.write('error: none\\n  cause: odd is odd\\n');
  process.exitCode = 1;
} else if (process.argv.slice(2, 5).join(' ') === 'pip compile -') console.log(name + '==2026.10.19');
`;
const UV_OF_INDEX = `
if (require('node:path').basename(process.cwd()) === 'place') console.log('example==' + process.env.INDEX);
`;

let folder: string;
let server: Server;
let host: string;
let scopes: (string | null)[] = [];

/** An npm registry, and one of images that gives a token to anyone. */
const registries: RequestListener = ({ url = '', headers }, response) => {
  const { pathname, searchParams } = new URL(url, 'http://x');
  if (pathname === '/@example%2ffiles') {
    const versions = Object.fromEntries(
      ['1.0.0', '1.1.0', '2.0.0-rc.1'].map((version) => [version, { name: '@example/files', version }]),
    );
    const body = { name: '@example/files', 'dist-tags': { latest: '1.1.0', next: '2.0.0-rc.1' }, versions };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  } else if (pathname === '/token') {
    scopes.push(searchParams.get('scope'));
    response.end(JSON.stringify({ token: 'anyone' }));
  } else if (headers.authorization !== 'Bearer anyone') {
    const challenge = `Bearer realm="http://${host}/token",service="images"`;
    response.writeHead(pathname.startsWith('/v2/') ? 401 : 404, { 'www-authenticate': challenge }).end();
  } else response.writeHead(200, { 'docker-content-digest': DIGEST }).end();
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mcpmux-versions-'));
  server = createServer(registries).listen(0, '127.0.0.1');
  await once(server, 'listening');
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

function environment(): Record<string, string | undefined> {
  const { PATH } = process.env;
  return { PATH, HOME: folder, npm_config_registry: `http://${host}`, npm_config_cache: join(folder, 'npm') };
}

it('npm names the version of the tag latest in the registry that npx uses, and why it cannot', async () => {
  const newest = versionFinder(() => ({ env: environment(), cwd: folder }));
  expect(await newest({ kind: 'npm', name: '@example/files' })).toBe('1.1.0');
  await expect(newest({ kind: 'npm', name: 'missing' })).rejects.toThrow(
    /^npm says: Not Found - GET .*missing$/,
  );
});

it('a registry of images gives the digest of a tag with a token for anyone', async () => {
  scopes = [];
  expect(await versionFinder(() => ({ env: {}, cwd: folder }))({ kind: 'oci', name: `${host}/a/b:v1` })).toBe(
    DIGEST,
  );
  expect(scopes).toEqual(['repository:a/b:pull']);
});

it('uv names the version that uvx would run', async () => {
  writeNodeProgram(folder, 'uv', UV);
  const newest = versionFinder(() => ({ env: { ...SYSTEM, PATH: folder }, cwd: folder }));
  expect(await newest({ kind: 'pypi', name: 'example[cli]' })).toBe('2026.10.19');
  await expect(newest({ kind: 'pypi', name: 'odd' })).rejects.toThrow('uv says: odd is odd');
});

it('a program that is missing is named', async () => {
  const newest = versionFinder(() => ({ env: { PATH: join(folder, 'none') }, cwd: folder }));
  await expect(newest({ kind: 'pypi', name: 'example' })).rejects.toThrow('uv was not found in PATH');
});

it('a program runs in the place of the server, and never from its folder', async () => {
  const place = join(folder, 'place');
  const bin = join(folder, 'bin');
  writeNodeProgram(place, 'uv', `console.log('example==6.6.6');`);
  writeNodeProgram(bin, 'uv', UV_OF_INDEX);
  const env = { ...SYSTEM, PATH: bin };
  const newest = versionFinder((name) => ({
    env: { ...env, INDEX: name === 'one' ? '1.1' : '2' },
    cwd: place,
  }));
  expect(await newest({ kind: 'pypi', name: 'example' }, 'one')).toBe('1.1');
});
