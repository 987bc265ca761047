import { once } from 'node:events';

import { expect, it } from 'vitest';

import { fixtureServer } from './testing/fixture-server.js';
import { cleanEnvironment, CLI, NODE } from './testing/built-cli.js';
import { spawn } from 'node:child_process';
import { RawCli } from './testing/raw-cli.js';
import { textOf } from './testing/tool-response.js';

const MEGABYTE = 1_000_000;

/** A server that writes letters without end once it was asked for anything but the handshake. */
const ENDLESS = `
  const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  const results = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'e', version: '1' } },
    'tools/list': { tools: [{ name: 'go', inputSchema: { type: 'object' } }] },
  };
  const block = Buffer.alloc(65536, 'x');
  const pour = () => { while (process.stdout.write(block)); process.stdout.once('drain', pour); };
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (method in results) send({ id, result: results[method] });
    if (method === 'tools/call') pour();
  });`;

async function withServers(...names: readonly Parameters<typeof fixtureServer>[0][]): Promise<RawCli> {
  const cli = new RawCli({ args: ['--log-level', 'info'] });
  await cli.initialize();
  await Promise.all(names.map((name) => cli.call('add_server', { name, ...fixtureServer(name) })));
  return cli;
}

it('B6: an answer above the line limit fails its call at once; the server and the client go on', async () => {
  await using cli = await withServers('faulty');
  const { error } = await cli.call('faulty__oversize', { nonce: 'a', n: 11 * MEGABYTE });
  expect(error).toMatchObject({
    code: -32_603,
    message: expect.stringContaining('above the limit of 10000000'),
  });
  expect(textOf(await cli.call('faulty__echo', { nonce: 'b', n: 0 }))).toBe('b');
  expect(Math.max(...cli.lines.map((line) => line.length))).toBeLessThan(10 * MEGABYTE);
});

it('B7: a server that writes a line without an end is stopped, its caller told, and another goes on', async () => {
  await using cli = await withServers('echo');
  await cli.call('add_server', { name: 'endless', command: NODE, args: ['-e', ENDLESS] });
  const poured = cli.call('endless__go');
  expect(textOf(await cli.call('echo__echo', { message: 'meanwhile' }))).toBe('meanwhile');
  expect(textOf(await poured)).toContain(
    'can no longer be reached over its stdout: a line of more than 67108864 bytes has no end',
  );
});

it('B7: a client that writes a line without an end is left, and mcpmux ends in order', async () => {
  await using cli = await withServers('echo');
  const block = 'x'.repeat(MEGABYTE);
  const pour = (): void => {
    while (cli.child.stdin.writable && cli.child.stdin.write(block));
  };
  cli.child.stdin.on('drain', pour);
  pour();
  await expect(cli.ended).resolves.toEqual({ code: 0, signal: null });
});

it('C7: while one server floods, the calls of another are answered', async () => {
  await using cli = await withServers('flood', 'faulty');
  const flood = { isOver: false };
  const flooded = cli
    .call('flood__flood', { count: 100_000, bytes: 200 })
    .finally(() => (flood.isOver = true));
  let meanwhile = 0;
  for (; !flood.isOver; meanwhile += 1) {
    const nonce = `n${meanwhile}`;
    expect(textOf(await cli.call('faulty__echo', { nonce, n: 0 }))).toBe(nonce);
  }
  expect(textOf(await flooded)).toContain('sent 100000 lines');
  // One that had to wait for the flood to pass would be the first and the last.
  expect(meanwhile).toBeGreaterThan(10);
});

it('C9: of a stderr flood the log gets a hundred lines in a second and the number of the others', async () => {
  await using cli = await withServers('faulty');
  await cli.call('faulty__stderr', { nonce: 'a', n: 50_000 });
  await cli.until(() => /\(\d+ more lines within a second were left out\)/.exec(cli.stderr) ?? undefined);
  expect(cli.stderr.split('talking, talking').length - 1).toBeLessThan(1000);
});

it('a client that frames its messages with Content-Length headers is answered in kind', async () => {
  const child = spawn(NODE, [CLI], { env: cleanEnvironment(), stdio: ['pipe', 'pipe', 'ignore'] });
  const frame = (message: object): string => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message }, undefined, 1);
    return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
  };
  let received = '';
  child.stdout.on('data', (chunk: Buffer) => (received += chunk.toString()));
  child.stdin.end(frame({ id: 1, method: 'ping' }) + frame({ id: 'zwei', method: 'ping' }));
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  const answers = ['{"jsonrpc":"2.0","id":1,"result":{}}', '{"jsonrpc":"2.0","id":"zwei","result":{}}'];
  expect(received).toBe(answers.map((text) => `Content-Length: ${text.length}\r\n\r\n${text}`).join(''));
});
