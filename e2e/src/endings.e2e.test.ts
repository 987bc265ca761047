import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, rm, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { Lifeline } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import { CLI, cleanEnvironment, NODE } from './testing/built-cli.js';
import { fixtureServer } from './testing/fixture-server.js';
import { parseMessage, type RpcMessage } from './testing/json-rpc.js';
import { RawCli } from './testing/raw-cli.js';
import { textOf } from './testing/tool-response.js';

const MEGABYTES_5 = 5_000_000;

function request(id: number, method: string, params: object = {}): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
}

const HANDSHAKE = request(1, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'raw', version: '1' },
});

/** A whole session as one piece of text. */
const SESSION = [
  HANDSHAKE,
  '{"jsonrpc":"2.0","method":"notifications/initialized"}\n',
  request(2, 'ping'),
  request(3, 'tools/list'),
  request(4, 'tools/call', { name: 'list_servers', arguments: {} }),
].join('');

/** Runs the command with these bytes as all of its input. */
async function run(input: string): Promise<{ readonly stdout: string; readonly code: number | null }> {
  const child = spawn(NODE, [CLI, '--log-level', 'error'], {
    env: cleanEnvironment(),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(input);
  const [stdout] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { stdout, code: child.exitCode };
}

function parse(stdout: string): RpcMessage[] {
  return stdout.trimEnd().split('\n').map(parseMessage);
}

describe('when stdin ends behind the last request', () => {
  it('M8, C13: each request is answered before mcpmux exits with 0', async () => {
    const { stdout, code } = await run(SESSION);
    expect(new Set(parse(stdout).map(({ id }) => id))).toEqual(new Set([1, 2, 3, 4]));
    expect(code).toBe(0);
  });

  it('M8: a last request without a newline is answered too', async () => {
    const { stdout } = await run(`${HANDSHAKE}${request(2, 'ping').trimEnd()}`);
    expect(parse(stdout).map(({ id }) => id)).toEqual([1, 2]);
  });

  it('F8: an empty input ends mcpmux with 0 and without a word on stdout', async () => {
    await expect(run('')).resolves.toEqual({ stdout: '', code: 0 });
  });

  it('a server that is still starting is given up, and no process of it is left', async () => {
    await using lifeline = await Lifeline.open();
    const cli = new RawCli({ args: ['--log-level', 'error'], env: { LIFELINE: lifeline.address } });
    await cli.initialize();
    const add = { name: 'mute', ...fixtureServer('never-initialize') };
    cli.write(request(9, 'tools/call', { name: 'add_server', arguments: add }).trimEnd());
    await lifeline.waitForAlive(1);
    cli.child.stdin.end();
    await expect(cli.ended).resolves.toEqual({ code: 0, signal: null });
    await expect(lifeline.waitForAllGone(5000)).resolves.toBeUndefined();
  });
});

it('B5, C12: a result of 5 MB is complete, though stdin ends as soon as it begins', async () => {
  await using cli = new RawCli({ args: ['--log-level', 'error'] });
  await cli.initialize();
  await cli.call('add_server', { name: 'large', ...fixtureServer('oversized') });
  const answer = cli.call('large__big', { bytes: MEGABYTES_5 });
  cli.child.stdout.once('data', () => cli.child.stdin.end());
  expect(textOf(await answer)).toHaveLength(MEGABYTES_5);
  await expect(cli.ended).resolves.toEqual({ code: 0, signal: null });
});

it('C11: a reader that goes away ends mcpmux and its servers, quietly', async () => {
  await using lifeline = await Lifeline.open();
  await using cli = new RawCli({ args: ['--log-level', 'error'], env: { LIFELINE: lifeline.address } });
  await cli.initialize();
  await cli.call('add_server', { name: 'large', ...fixtureServer('oversized') });
  await lifeline.waitForAlive(1);
  cli.write(request(9, 'tools/call', { name: 'large__big', arguments: { bytes: MEGABYTES_5 } }).trimEnd());
  cli.child.stdout.destroy();
  await expect(cli.ended).resolves.toEqual({ code: 0, signal: null });
  await expect(lifeline.waitForAllGone(5000)).resolves.toBeUndefined();
  expect(cli.stderr).toBe('');
});

it('C14: a file as stdout gets the bytes that a pipe gets', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mcpmux-stdout-'));
  try {
    const path = join(folder, 'stdout');
    const file = await open(path, 'w');
    const child = spawn(NODE, [CLI, '--log-level', 'error'], {
      env: cleanEnvironment(),
      stdio: ['pipe', file.fd, 'inherit'],
    });
    await file.close();
    child.stdin?.end(SESSION);
    await once(child, 'exit');
    await expect(readFile(path, 'utf8')).resolves.toBe((await run(SESSION)).stdout);
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('a file as stdin is read to its end and answered', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mcpmux-stdin-'));
  try {
    const path = join(folder, 'stdin');
    const file = await open(path, 'w+');
    await file.writeFile(SESSION);
    await file.close();
    const input = await open(path);
    const child = spawn(NODE, [CLI], { env: cleanEnvironment(), stdio: [input.fd, 'pipe', 'ignore'] });
    await input.close();
    if (child.stdout === null) throw new Error('no stdout');
    const ids = parse(await text(child.stdout)).map(({ id }) => id);
    expect(new Set(ids)).toEqual(new Set([1, 2, 3, 4]));
  } finally {
    await rm(folder, { recursive: true });
  }
});
