import { mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { fixtureServer } from './testing/fixture-server.js';
import { ACCEPT, HttpCli, INITIALIZE } from './testing/http-cli.js';
import { RawCli } from './testing/raw-cli.js';
import { SharedWindows, untilListed } from './testing/shared-windows.js';
import { textOf } from './testing/tool-response.js';

const HANDLE = /"handle": "([\da-f-]+)"/;
const FILE = /in the file (\S+): /;
const ROWS = JSON.stringify(
  Array.from({ length: 2500 }, (_, id) => ({ id, name: `row ${id}` })),
  undefined,
  1,
);
const WAIT = { timeout: 10_000 };
const SERVERS = { e: fixtureServer('echo') };

let folder = '';
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'mcpmux-e2e-results-')));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The client that names itself so, after its handshake. */
async function open(mcpmux: RawCli, name: string): Promise<RawCli> {
  const clientInfo = { name, version: '1' };
  await mcpmux.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  mcpmux.write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  return mcpmux;
}

async function started(name: string, config: object = {}): Promise<RawCli> {
  const file = join(folder, 'mcpmux.json');
  await writeFile(file, JSON.stringify({ mcpServers: SERVERS, ...config }));
  const args = ['--config', file, '--wait-for-servers'];
  const env = { XDG_STATE_HOME: folder, TMPDIR: folder };
  const mcpmux = await open(new RawCli({ args, cwd: folder, env }), name);
  // Waits for the server.
  await mcpmux.request('tools/list');
  return mcpmux;
}

/** The permissions of a path. Windows has none: it closes the folders of a user to the other users as a whole. */
async function modeOf(path: string): Promise<number> {
  const found = await stat(path);
  if (process.platform !== 'win32') return found.mode & 0o777;
  return found.isDirectory() ? 0o700 : 0o600;
}

async function isListed(mcpmux: RawCli): Promise<boolean> {
  return JSON.stringify(await mcpmux.request('tools/list')).includes('"read_result"');
}

describe('a long result', () => {
  it('is in a file of the machine for Claude Code, which its shell searches, until mcpmux ends', async () => {
    const mcpmux = await started('claude-code');
    expect(await isListed(mcpmux)).toBe(true);
    const text = textOf(await mcpmux.call('e__echo', { message: ROWS }));
    expect(text).toContain('Shape: [2500 × {id: number, name: string}]');
    const file = FILE.exec(text)?.[1] ?? '';
    const lines = (await readFile(file, 'utf8')).split('\n');
    const wanted = ROWS.split('"name": "row 2').length - 1;
    expect(lines.filter((line) => line.includes('"name": "row 2'))).toHaveLength(wanted);
    expect(lines.join('\n')).toBe(ROWS);
    expect(await modeOf(file)).toBe(0o600);
    expect(await modeOf(dirname(file))).toBe(0o700);
    const handle = HANDLE.exec(text)?.[1];
    const row = await mcpmux.call('read_result', { handle, path: '$[2499].name' });
    expect(textOf(row)).toBe('"row 2499"');
    await mcpmux[Symbol.asyncDispose]();
    expect((await readdir(folder)).filter((name) => name.startsWith('mcpmux-results-'))).toEqual([]);
  });

  it('is longer than what its client documents: characters for Claude Code, bytes of JSON for Codex', async () => {
    const claude = await started('claude-code');
    const characters = 'ü"'.repeat(25_000);
    expect(textOf(await claude.call('e__echo', { message: characters }))).toBe(characters);
    expect(textOf(await claude.call('e__echo', { message: `${characters}.` }))).toMatch(FILE);
    await claude[Symbol.asyncDispose]();
    await using codex = await started('codex-mcp-client');
    const most = 'x'.repeat(39_900);
    expect(textOf(await codex.call('e__echo', { message: most }))).toBe(most);
    expect(textOf(await codex.call('e__echo', { message: `${most}${'"'.repeat(60)}` }))).toMatch(FILE);
  });

  it('reaches an unknown client, and every client with "off", byte for byte', async () => {
    const lines: string[][] = [];
    for (const [client, largeResults] of [
      ['unknown', 'auto'],
      ['unknown', 'off'],
      ['claude-code', 'off'],
    ] as const) {
      await using mcpmux = await started(client, { guards: { largeResults } });
      expect(await isListed(mcpmux)).toBe(false);
      expect(textOf(await mcpmux.call('e__echo', { message: ROWS }))).toBe(ROWS);
      lines.push(mcpmux.lines.filter((line) => !line.includes('"method"')));
    }
    expect(lines[1]).toEqual(lines[0]);
    expect(lines[2]).toEqual(lines[0]);
  });

  it('is shortened for every client with "on", and in no file with "files": false', async () => {
    const long = ROWS.repeat(2);
    const other = await started('unknown', { guards: { largeResults: 'on' } });
    expect(textOf(await other.call('e__echo', { message: long }))).toMatch(FILE);
    await other[Symbol.asyncDispose]();
    await using claude = await started('claude-code', {
      guards: { largeResults: { mode: 'auto', files: false } },
    });
    const text = textOf(await claude.call('e__echo', { message: ROWS }));
    expect(text).toMatch(HANDLE);
    expect(text).not.toContain(folder);
  });

  it('is in a file for a window, and unshortened for another window of the same process', async () => {
    await using shared = await SharedWindows.open({ e: { ...SERVERS.e, mux: { shared: true } } });
    const env = { TMPDIR: shared.folder };
    await using claude = await open(shared.start({ env }), 'claude-code');
    await using other = await open(shared.start({ env }), 'unknown');
    for (const window of [claude, other]) await untilListed(window, 'e__echo');
    const text = textOf(await claude.call('e__echo', { message: ROWS }));
    expect(await readFile(FILE.exec(text)?.[1] ?? '', 'utf8')).toBe(ROWS);
    expect(textOf(await other.call('e__echo', { message: ROWS }))).toBe(ROWS);
    expect([await isListed(claude), await isListed(other)]).toEqual([true, false]);
  });

  it('is in no file for a client over HTTP, which reads it with read_result', async () => {
    const file = join(folder, 'mcpmux.json');
    await writeFile(file, JSON.stringify({ mcpServers: SERVERS }));
    await using mcpmux = await HttpCli.open({
      args: ['--config', file, '--wait-for-servers'],
      env: { XDG_STATE_HOME: folder, TMPDIR: folder },
    });
    const clientInfo = { name: 'claude-code', version: '1' };
    const body = { ...INITIALIZE, params: { ...INITIALIZE.params, clientInfo } };
    const opened = await mcpmux.send({ method: 'POST', headers: ACCEPT, body });
    const session = String(opened.headers['mcp-session-id']);
    const call = async (name: string, args: object): Promise<string> => {
      const headers = { ...ACCEPT, 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' };
      const params = { name, arguments: args };
      const message = { jsonrpc: '2.0', id: 2, method: 'tools/call', params };
      return (await mcpmux.send({ method: 'POST', headers, body: message })).text;
    };
    await vi.waitUntil(async () => (await call('e__echo', { message: 'on' })).includes('"on"'), WAIT);
    const text = await call('e__echo', { message: ROWS });
    expect(text).not.toContain('in the file');
    const handle = /handle\\": \\"([\da-f-]+)/.exec(text)?.[1];
    expect(await call('read_result', { handle, path: '$[7].name' })).toContain('row 7');
  });
});

it('a long result of a server that an agent adds is shortened without any config', async () => {
  const args = ['--log-level', 'debug'];
  await using mcpmux = await open(new RawCli({ args, cwd: folder, env: { TMPDIR: folder } }), 'claude-code');
  expect(await isListed(mcpmux)).toBe(true);
  await mcpmux.call('add_server', { name: 'e', ...SERVERS.e });
  expect(textOf(await mcpmux.call('e__echo', { message: ROWS }))).toMatch(FILE);
});
