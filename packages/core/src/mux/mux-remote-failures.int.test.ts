import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { RemoteServer, type Interception } from '@mcpmux/test-servers/remote-server';
import { describe, expect, it } from 'vitest';

import { MuxRig, textOf } from '../testing/mux-rig.js';
import { refused } from '../testing/refused.js';

const HTML: Interception = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end('<html><body>Sign in</body></html>');
  return true;
};

const ROWS: readonly (readonly [string, Interception, readonly string[]])[] = [
  [
    '401',
    (_, response) => refused(response, 401, 'invalid token'),
    ['401 Unauthorized (invalid token)', 'headers', 'mcpmux login NAME'],
  ],
  ['403', (_, response) => refused(response, 403, 'not yours'), ['403 Forbidden (not yours)', 'credentials']],
  [
    '404',
    (_, response) => refused(response, 404, 'nothing here'),
    ['404 Not Found (nothing here)', 'Check the url'],
  ],
  [
    '502',
    (_, response) => refused(response, 502, 'no upstream'),
    ['502 Bad Gateway (no upstream)', 'Try again later'],
  ],
  ['a page of HTML', HTML, ['an HTML page instead of MCP', 'Check the url']],
];

describe('fault I22: a server at a url that cannot be used', () => {
  it.each(ROWS)('add_server says so and what to do, for %s', async (_, intercept, parts) => {
    await using server = await RemoteServer.open();
    server.intercept = intercept;
    await using rig = await MuxRig.open();
    const headers = { Authorization: 'Bearer wrong-token' };
    const url = `${server.url}?key=abcdef123`;
    const { result } = await rig.client.call('add_server', { name: 'far', url, headers });
    expect(result).toMatchObject({ isError: true });
    const text = textOf(result);
    expect(text).toContain(`Server "far" cannot be reached: ${server.url}?key=***`);
    for (const part of parts) expect(text).toContain(part);
    expect(text).toContain('It was not added.');
    expect(text).not.toContain('wrong-token');
    expect(rig.mux.listServers()).toEqual([]);
    await server.connections(0);
  });

  it.each(ROWS.filter(([name]) => name !== '404'))(
    'a call fails with what happened, and the next one works, for %s',
    async (_, intercept, [what = '']) => {
      await using server = await RemoteServer.open();
      await using rig = await MuxRig.open();
      await rig.mux.addServer('far', { url: server.url });
      server.intercept = intercept;
      const { result } = await rig.client.call('far__echo', { message: 'x' });
      expect(result).toMatchObject({ isError: true });
      expect(textOf(result)).toContain(`Server "far" did not answer: ${server.url}`);
      expect(textOf(result)).toContain(what);
      server.intercept = () => false;
      expect(textOf((await rig.client.call('far__echo', { message: 'again' })).result)).toBe('again');
      expect(server.of('tools/call')).toHaveLength(2);
    },
  );

  it('says that nobody listens there', async () => {
    const server = await RemoteServer.open();
    await server[Symbol.asyncDispose]();
    await using rig = await MuxRig.open();
    const { result } = await rig.client.call('add_server', { name: 'far', url: server.url });
    expect(textOf(result)).toContain('refuses connections (ECONNREFUSED)');
    expect(textOf(result)).toContain('Start the server');
  });

  it('says that TLS failed', async () => {
    await using server = await RemoteServer.open();
    await using rig = await MuxRig.open();
    const url = server.url.replace('http:', 'https:');
    const { result } = await rig.client.call('add_server', { name: 'far', url });
    expect(textOf(result)).toContain(`the TLS connection to ${url} failed`);
  });

  it.each([
    [{ url: 'ftp://example.com' }, 'http:// or https://'],
    [{ url: 'example.com/mcp' }, 'http:// or https://'],
    [{ url: 'http://localhost:1', headers: { 'X-Bad': 'one\r\ntwo-secret' } }, 'headers: "X-Bad"'],
    [{ url: 'http://localhost:1', headers: { 'Mcp-Session-Id': 'x' } }, 'is set by mcpmux itself'],
  ])('I14: refuses %j before anything is sent', async (config, problem) => {
    await using rig = await MuxRig.open();
    const { result } = await rig.client.call('add_server', { name: 'far', ...config });
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toContain(problem);
    expect(textOf(result)).not.toContain('two-secret');
  });
});

it('I17: a redirect to another origin is not followed, and no header goes there', async () => {
  const asked: unknown[] = [];
  const other = createServer((request, response) => {
    asked.push(request.headers);
    response.end();
  }).listen(0, '127.0.0.1');
  try {
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await using server = await RemoteServer.open();
    server.intercept = (_, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${port}/mcp` });
      response.end();
      return true;
    };
    await using rig = await MuxRig.open();
    const headers = { Authorization: 'Bearer s3cr3t' };
    const { result } = await rig.client.call('add_server', { name: 'far', url: server.url, headers });
    expect(textOf(result)).toContain(`Redirect to http://127.0.0.1:${port}/mcp not followed`);
    expect(asked).toEqual([]);
  } finally {
    other.close();
  }
});

it('fault I22: an answer without end is given up, and the session goes on', async () => {
  await using server = await RemoteServer.open();
  await using rig = await MuxRig.open({ limits: { maxLineBytes: 100_000 } });
  await rig.mux.addServer('far', { url: server.url });
  server.intercept = ({ rpc }, response) => {
    if (rpc !== 'tools/call') return false;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const more = (): void => {
      while (!response.destroyed && response.write(`data: ${'x'.repeat(1000)}\n`));
    };
    response.on('drain', more);
    more();
    return true;
  };
  const { result } = await rig.client.call('far__echo', { message: 'x' });
  expect(result).toMatchObject({ isError: true });
  server.intercept = () => false;
  expect(textOf((await rig.client.call('far__echo', { message: 'again' })).result)).toBe('again');
});
