import type { ServerResponse } from 'node:http';
import process from 'node:process';

import { RemoteServer } from '@mcpmux/test-servers/remote-server';
import { describe, expect, it } from 'vitest';

import { memoryOf } from './chaos/process-files.js';
import { NODE } from './testing/built-cli.js';
import { fixtureServer } from './testing/fixture-server.js';
import { RawCli } from './testing/raw-cli.js';
import { textOf } from './testing/tool-response.js';

/** What a server sends at most; a gigabyte takes minutes on a small machine. */
const MEGABYTES = Number(process.env['STREAM_MB'] ?? 128);
const BLOCK = 'x'.repeat(64 * 1024);
/** Above what mcpmux needs without such a server, at its highest moment. */
const GROWTH_MB = 100;

/** A server whose tool `go` writes blocks to a descriptor, after what begins an answer, and then answers. */
const POURING = `
  const [, descriptor, begin, block, megabytes] = process.argv;
  const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  const results = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'e', version: '1' } },
    'tools/list': { tools: [{ name: 'go', inputSchema: { type: 'object' } }] },
  };
  const stream = descriptor === '2' ? process.stderr : process.stdout;
  const text = Buffer.from(block.repeat(65536 / block.length));
  let left = Number(megabytes) * 16;
  const pour = (done) => {
    while (left > 0) { left -= 1; if (!stream.write(text)) return stream.once('drain', () => pour(done)); }
    done();
  };
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (method in results) send({ id, result: results[method] });
    if (method !== 'tools/call') return;
    stream.write(begin.replace('ID', id));
    pour(() => send({ id, result: { content: [{ type: 'text', text: 'poured' }] } }));
  });`;
const ANSWER = '{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"';

interface Pouring {
  readonly descriptor?: 1 | 2;
  readonly begin?: string;
  readonly block: string;
  readonly megabytes?: number;
}

function pouring({ descriptor = 1, begin = '', block, megabytes = MEGABYTES }: Pouring): object {
  return { command: NODE, args: ['-e', POURING, '--', String(descriptor), begin, block, String(megabytes)] };
}

/** Serves the echo server beside; resolves with the answer of the call, and the megabytes that it cost. */
async function cost(
  server: object,
  tool: string,
): Promise<{ readonly text: string; readonly grownBy: number }> {
  await using cli = new RawCli({ args: ['--log-level', 'info'] });
  await cli.initialize();
  await cli.call('add_server', { name: 'echo', ...fixtureServer('echo') });
  await cli.call('add_server', { name: 'endless', ...server });
  const before = memoryOf(cli.child.pid ?? 0).peak;
  const poured = cli.call(`endless__${tool}`);
  expect(textOf(await cli.call('echo__echo', { message: 'meanwhile' }))).toBe('meanwhile');
  const text = JSON.stringify(await poured);
  expect(textOf(await cli.call('echo__echo', { message: 'afterwards' }))).toBe('afterwards');
  return { text, grownBy: memoryOf(cli.child.pid ?? 0).peak - before };
}

describe.skipIf(process.platform !== 'linux')('a server that sends without end', () => {
  it.each([
    ['a line of stdout', { block: 'x' }, 'a line of more than 67108864 bytes has no end'],
    ['an answer', { begin: ANSWER, block: 'x' }, 'a line of more than 67108864 bytes has no end'],
    // Each of them is a line: they cost time instead.
    ['empty lines', { block: '\n', megabytes: MEGABYTES / 16 }, 'poured'],
    [
      'lines that are no messages',
      { block: `${'no message '.repeat(3).slice(0, 31)}\n`, megabytes: MEGABYTES / 16 },
      'poured',
    ],
    ['a line of stderr', { descriptor: 2, block: 'x' }, 'poured'],
    ['lines of stderr', { descriptor: 2, block: `${'x'.repeat(127)}\n` }, 'poured'],
  ] as const)('B7, C9: %s costs bounded memory, and others go on', async (_, given, outcome) => {
    const { text, grownBy } = await cost(pouring(given), 'go');
    expect(text).toContain(outcome);
    expect(grownBy).toBeLessThan(GROWTH_MB);
  });

  it.each([
    ['an event', 'text/event-stream', 'data: x', BLOCK],
    ['lines of one event', 'text/event-stream', 'data: x\n', `data: ${BLOCK}\n`],
    ['comments of one event', 'text/event-stream', ':\n', `: ${BLOCK}\n`],
    ['an id of an event', 'text/event-stream', 'id: ', BLOCK],
    ['a JSON body', 'application/json', '{"jsonrpc":"', BLOCK],
    ['a body of another type', 'text/html', '<', BLOCK],
  ])('fault I9: %s over HTTP costs bounded memory, and others go on', async (_, type, begin, block) => {
    await using server = await RemoteServer.open();
    let sent = 0;
    server.intercept = ({ rpc }, response) => {
      if (rpc !== 'tools/call') return false;
      response.writeHead(200, { 'content-type': type });
      response.write(begin);
      pourInto(response, block, (bytes) => (sent += bytes));
      return true;
    };
    const { text, grownBy } = await cost({ url: server.url }, 'echo');
    expect(text).toMatch(/"isError":true|"error":/);
    expect(grownBy).toBeLessThan(GROWTH_MB);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });
});

/** Writes the block until nobody reads any more, or a stream of that size would be whole. */
function pourInto(response: ServerResponse, block: string, note: (bytes: number) => void): void {
  let left = Math.ceil((MEGABYTES * 1024 * 1024) / block.length);
  const pour = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= 1;
      note(block.length);
      if (!response.write(block)) return;
    }
    response.end();
  };
  response.on('drain', pour);
  pour();
}
