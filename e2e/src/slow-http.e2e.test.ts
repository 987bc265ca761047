import { connect, type Socket } from 'node:net';
import process from 'node:process';
import { once } from 'node:events';
import { request } from 'node:http';

import { describe, expect, it } from 'vitest';

import { descriptorsOf, memoryOf } from './chaos/process-files.js';
import { fixtureServer } from './testing/fixture-server.js';
import { ACCEPT, HttpCli } from './testing/http-cli.js';
import { connectV1 } from './testing/http-clients.js';

const CONNECTIONS = 400;
/** How long a healthy client waits at most for an answer, on a machine with other things to do. */
const AT_ONCE_MS = 2000;
/** Reconnects of one session. `RECONNECTS=10000` takes half a minute. */
const RECONNECTS = Number(process.env['RECONNECTS'] ?? 1000);
/** Until the heap has its size: over HTTP the space for new objects grows. */
const WARM_UP = Math.max(2000, RECONNECTS * 0.4);
const MEGABYTES = 20;

async function slowSockets(cli: HttpCli, count: number, begin: string): Promise<readonly Socket[]> {
  const sockets = Array.from({ length: count }, () =>
    connect(Number(cli.url.port), cli.url.hostname).on('error', () => undefined),
  );
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.write(begin);
  return sockets;
}

/** How long the slowest of so many calls of a healthy client took. */
async function slowestCall(cli: HttpCli, calls: number): Promise<number> {
  await using client = await connectV1(cli.url);
  let slowest = 0;
  for (let call = 0; call < calls; call += 1) {
    const begun = performance.now();
    expect(await client.call('e__echo', { message: `m${call}` })).toBe(`m${call}`);
    slowest = Math.max(slowest, performance.now() - begun);
  }
  return slowest;
}

async function withEcho(): Promise<HttpCli> {
  const cli = await HttpCli.open();
  await using client = await connectV1(cli.url);
  await client.call('add_server', { name: 'e', ...fixtureServer('echo') });
  await client.terminate();
  return cli;
}

const head = (cli: HttpCli): string =>
  `POST /mcp HTTP/1.1\r\nHost: ${cli.url.host}\r\nAccept: application/json, text/event-stream\r\n` +
  `Content-Type: application/json\r\n`;

describe('slow clients over HTTP', () => {
  it.each([
    ['headers', (cli: HttpCli) => head(cli), 'X-A: b\r\n'],
    ['bodies', (cli: HttpCli) => `${head(cli)}Content-Length: 4000000\r\n\r\n`, ' '],
    ['chunks', (cli: HttpCli) => `${head(cli)}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
    ['nothing', () => '', ''],
  ] as const)(
    'I11: %s of many clients that come byte by byte hold up nobody, and their connections end',
    async (_, begin, drop) => {
      await using cli = await withEcho();
      const before = descriptorsOf(cli.child.pid ?? 0);
      const sockets = await slowSockets(cli, CONNECTIONS, begin(cli));
      const dripping = setInterval(() => {
        for (const socket of sockets) if (socket.writable) socket.write(drop);
      }, 500);
      expect(await slowestCall(cli, 50)).toBeLessThan(AT_ONCE_MS);
      clearInterval(dripping);
      for (const socket of sockets) socket.destroy();
      await expect.poll(() => descriptorsOf(cli.child.pid ?? 0)).toBeLessThanOrEqual(before + 2);
    },
  );
});

describe.skipIf(process.platform !== 'linux')('a client that opens its stream again and again', () => {
  it('I10: leaves no descriptor, no memory and no session', { timeout: 600_000 }, async () => {
    await using cli = await withEcho();
    const session = await cli.session();
    const pid = cli.child.pid ?? 0;
    const reconnect = async (): Promise<void> => {
      const stream = request(cli.url, {
        headers: { accept: 'text/event-stream', 'mcp-session-id': session },
        agent: false,
      });
      stream.on('error', () => undefined).end();
      const [response] = await once(stream, 'response');
      expect(response.statusCode).toBe(200);
      stream.destroy();
    };
    for (let index = 0; index < WARM_UP; index += 1) await reconnect();
    const before = { descriptors: descriptorsOf(pid), memory: memoryOf(pid).now };
    for (let index = 0; index < RECONNECTS; index += 1) await reconnect();
    await expect.poll(() => descriptorsOf(pid)).toBeLessThanOrEqual(before.descriptors + 3);
    expect(memoryOf(pid).now - before.memory).toBeLessThan(MEGABYTES);
    await cli.metric('mcpmux_sessions', 1);
  });

  it('I8: nor do clients that open a session each and end it', { timeout: 600_000 }, async () => {
    await using cli = await withEcho();
    const pid = cli.child.pid ?? 0;
    const visit = async (): Promise<void> => {
      const session = await cli.session();
      const { status } = await cli.send({
        method: 'DELETE',
        headers: { ...ACCEPT, 'mcp-session-id': session },
      });
      expect(status).toBe(200);
    };
    for (let index = 0; index < WARM_UP; index += 1) await visit();
    const before = { descriptors: descriptorsOf(pid), memory: memoryOf(pid).now };
    for (let index = 0; index < RECONNECTS; index += 1) await visit();
    await expect.poll(() => descriptorsOf(pid)).toBeLessThanOrEqual(before.descriptors + 3);
    expect(memoryOf(pid).now - before.memory).toBeLessThan(MEGABYTES);
    await cli.metric('mcpmux_sessions', 0);
  });
});
