import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { fixtureServer } from './testing/fixture-server.js';
import { ACCEPT, HttpCli, INITIALIZE } from './testing/http-cli.js';
import { connectV1 } from './testing/http-clients.js';

const POST = { method: 'POST', headers: ACCEPT, body: INITIALIZE } as const;

describe('a front on loopback', () => {
  let cli: HttpCli;
  beforeAll(async () => {
    cli = await HttpCli.open({
      args: ['--allow-origin', 'https://app.example.com', '--allow-host', 'mux.example'],
    });
  });
  afterAll(() => cli[Symbol.asyncDispose]());

  it('listens where no other machine can reach it', () => {
    expect(cli.url.hostname).toBe('127.0.0.1');
  });

  it.each([
    ['evil.example', 403],
    ['127.0.0.1', 403],
    ['127.0.0.1:1', 403],
    ['localhost.evil.example:PORT', 403],
    ['127.0.0.1:PORT@evil.example', 403],
    ['0.0.0.0:PORT', 403],
    ['127.0.0.1:PORT', 200],
    ['LOCALHOST:PORT', 200],
    ['[::1]:PORT', 200],
    ['mux.example', 200],
    ['mux.example:PORT', 200],
    ['mux.example:1', 403],
  ])('I1: the Host %s is answered with %i', async (host, status) => {
    const headers = { ...ACCEPT, host: host.replace('PORT', cli.url.port) };
    expect(await cli.send({ ...POST, headers })).toMatchObject({ status });
    expect((await cli.send({ path: '/healthz', headers })).status).toBe(status);
  });

  it.each([
    ['https://evil.example', 403],
    ['null', 403],
    ['http://localhost', 403],
    ['http://127.0.0.1:PORT.evil.example', 403],
    ['://', 403],
    ['', 403],
    ['https://app.example.com', 200],
    ['http://127.0.0.1:PORT', 200],
  ])('I2: the Origin %o is answered with %i', async (text, status) => {
    const origin = text.replace('PORT', cli.url.port);
    const answer = await cli.send({ ...POST, headers: { ...ACCEPT, origin } });
    expect(answer.status).toBe(status);
    expect(answer.headers['access-control-allow-origin']).toBe(status === 200 ? origin : undefined);
  });

  it('I2: an Origin that is sent twice is answered with 403', async () => {
    const origin = ['https://app.example.com', 'https://app.example.com'];
    expect(await cli.send({ ...POST, headers: { ...ACCEPT, origin } })).toMatchObject({ status: 403 });
  });

  it('a page that is allowed may send the headers of MCP', async () => {
    const headers = { origin: 'https://app.example.com', 'access-control-request-method': 'POST' };
    const answer = await cli.send({ method: 'OPTIONS', headers });
    expect(answer.status).toBe(204);
    expect(answer.headers['access-control-allow-headers']).toContain('mcp-session-id');
  });

  it('I6: an unknown session id is answered with 404 and one that is sent twice with 400', async () => {
    const id = await cli.session();
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    for (const method of ['GET', 'POST', 'DELETE']) {
      const body = method === 'POST' ? { jsonrpc: '2.0', id: 2, method: 'ping' } : undefined;
      const guessed = {
        ...ACCEPT,
        'mcp-session-id': id.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
      };
      expect(await cli.send({ method, headers: guessed, ...(body && { body }) })).toMatchObject({
        status: 404,
      });
      const twice = { ...ACCEPT, 'mcp-session-id': [id, id] };
      expect(await cli.send({ method, headers: twice, ...(body && { body }) })).toMatchObject({
        status: 400,
      });
    }
    const ended = await cli.send({ method: 'DELETE', headers: { 'mcp-session-id': id } });
    expect(ended.status).toBe(200);
    expect(await cli.send({ method: 'DELETE', headers: { 'mcp-session-id': id } })).toMatchObject({
      status: 404,
    });
  });

  it('what is asked without a session or in another revision is answered with 400', async () => {
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
    expect(await cli.send({ method: 'POST', headers: ACCEPT, body: ping })).toMatchObject({ status: 400 });
    const headers = { ...ACCEPT, 'mcp-session-id': await cli.session() };
    for (const version of ['2026-07-28', '1999-01-01', 'nonsense']) {
      const answer = await cli.send({
        method: 'POST',
        headers: { ...headers, 'mcp-protocol-version': version },
        body: ping,
      });
      expect(answer.status).toBe(400);
    }
    const right = { ...headers, 'mcp-protocol-version': '2025-11-25' };
    expect(await cli.send({ method: 'POST', headers: right, body: ping })).toMatchObject({ status: 200 });
  });

  it('refuses paths and methods that it does not have', async () => {
    expect(await cli.send({ path: '/other' })).toMatchObject({ status: 404 });
    expect(await cli.send({ method: 'PUT' })).toMatchObject({
      status: 405,
      headers: { allow: 'GET, POST, DELETE' },
    });
    expect(await cli.send({ path: 'http://evil.example/mcp' })).toMatchObject({ status: 400 });
  });

  it.each([
    ['a length above the limit', { 'content-length': String(64 * 1024 * 1024) }, '', 413],
    ['more than the limit in chunks', { 'transfer-encoding': 'chunked' }, 'x'.repeat(5 * 1024 * 1024), 413],
    ['a content encoding', { 'content-encoding': 'gzip' }, 'x', 415],
    ['no JSON', {}, '{', 400],
    ['JSON that is no message', {}, '{"a":1}', 400],
  ])('I12: a body with %s is refused', async (_, extra, body, status) => {
    // The connection is closed while the body is still on its way: the answer may not arrive behind it.
    const answer = await cli.send({ method: 'POST', headers: { ...ACCEPT, ...extra }, body }).then(
      (given) => String(given.status),
      (error: unknown) => String((error as NodeJS.ErrnoException).code),
    );
    expect(status < 413 ? [String(status)] : [String(status), 'EPIPE', 'ECONNRESET']).toContain(answer);
    expect(await cli.send(POST)).toMatchObject({ status: 200 });
  });

  it('I23: says whether it is well, without names of servers', async () => {
    expect(await cli.send({ path: '/healthz' })).toMatchObject({ status: 200, text: 'ok\n' });
    expect(await cli.send({ path: '/readyz' })).toMatchObject({ status: 200, text: 'ready\n' });
  });
});

describe('a front with tokens', () => {
  const [ours, theirs] = ['tok-of-ann-0123456789', 'tok-of-bob-0123456789'];
  let folder: string;
  let cli: HttpCli;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcpmux-http-'));
    await writeFile(join(folder, 'tokens'), `${ours}\n${theirs}\n`, { mode: 0o600 });
    cli = await HttpCli.open({ args: ['--token-file', join(folder, 'tokens')] });
  });
  afterAll(async () => {
    await cli[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });
  const as = (token: string): Record<string, string> => ({ ...ACCEPT, authorization: `Bearer ${token}` });

  it.each([
    ['no token', undefined],
    ['a wrong token', 'Bearer tok-of-eve-0123456789'],
    ['a part of the token', `Bearer ${ours.slice(0, -1)}`],
    ['another scheme', `Basic ${ours}`],
    ['an empty token', 'Bearer '],
  ])('A6, I3: %s is answered with 401 and opens no session', async (_, authorization) => {
    const before = (await cli.send({ path: '/metrics', headers: as(ours) })).text;
    const answer = await cli.send({
      ...POST,
      headers: { ...ACCEPT, ...(authorization && { authorization }) },
    });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toContain('Bearer');
    const after = (await cli.send({ path: '/metrics', headers: as(ours) })).text;
    expect(openedIn(after)).toBe(openedIn(before));
  });

  it('I3: metrics need a token too, and whether it is well does not', async () => {
    expect(await cli.send({ path: '/metrics' })).toMatchObject({ status: 401 });
    expect(await cli.send({ path: '/healthz' })).toMatchObject({ status: 200 });
  });

  it('I4: a token in a URL is refused and never logged', async () => {
    const path = `/mcp?access_token=${ours}`;
    expect(await cli.send({ ...POST, path, headers: as(ours) })).toMatchObject({ status: 400 });
    expect(cli.stderr).not.toContain(ours);
  });

  it('I5: the session of another token does not exist, and goes on', async () => {
    const id = await cli.session(as(ours));
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
    for (const method of ['GET', 'POST', 'DELETE']) {
      const stolen = { ...as(theirs), 'mcp-session-id': id };
      const answer = await cli.send({ method, headers: stolen, ...(method === 'POST' && { body: ping }) });
      expect(answer.status).toBe(404);
    }
    const own = await cli.send({
      method: 'POST',
      headers: { ...as(ours), 'mcp-session-id': id },
      body: ping,
    });
    expect(own).toMatchObject({ status: 200 });
  });

  it('I16: neither the tokens nor the headers of a client reach a server', async () => {
    await using client = await connectV1(cli.url, { token: ours });
    await client.call('add_server', { name: 'env', ...fixtureServer('env-dump') });
    await client.call('add_server', { name: 'log', ...fixtureServer('requests-log') });
    const seen = (
      await Promise.all(
        (await client.tools()).filter((name) => name.includes('__')).map((name) => client.call(name)),
      )
    ).join();
    expect(seen).toContain('PATH');
    expect(seen).not.toContain(ours);
  });
});

describe('add_server over HTTP', () => {
  it('is refused when nothing else was said', async () => {
    await using cli = await HttpCli.open({ addPolicy: undefined });
    await using client = await connectV1(cli.url);
    expect(await client.call('add_server', { name: 'e', ...fixtureServer('echo') })).toContain(
      'may not add servers',
    );
    expect(await client.tools()).not.toContain('e__echo');
  });
});

describe('an address that others can reach', () => {
  it('is not served without a token', async () => {
    const { code, stderr } = await HttpCli.refused({ address: '0.0.0.0:0' });
    expect(code).toBe(2);
    expect(stderr).toContain('--token-file');
  });

  it('is served with the token of the environment, which servers do not get', async () => {
    const token = 'a-token-of-the-environment';
    await using cli = await HttpCli.open({ address: '0.0.0.0:0', env: { MCPMUX_HTTP_TOKEN: token } });
    const host = `127.0.0.1:${cli.url.port}`;
    expect(await cli.send({ ...POST, headers: { ...ACCEPT, host } })).toMatchObject({ status: 401 });
    await using client = await connectV1(new URL(`http://${host}/mcp`), { token });
    await client.call('add_server', { name: 'env', ...fixtureServer('env-dump') });
    const dump = (await client.tools()).find((name) => name.startsWith('env__'));
    expect(await client.call(dump ?? '')).not.toContain(token);
    expect(cli.stderr).not.toContain(token);
  });

  it('is served to everybody when that is asked for', async () => {
    await using cli = await HttpCli.open({ address: '0.0.0.0:0', args: ['--insecure'] });
    const host = `localhost:${cli.url.port}`;
    expect(await cli.send({ ...POST, headers: { ...ACCEPT, host } })).toMatchObject({ status: 200 });
  });

  it.each([
    ['a token that can be guessed', { MCPMUX_HTTP_TOKEN: 'short' }, [], /fewer than 16/],
    ['a token file that is missing', {}, ['--token-file', '/nowhere/token'], /cannot be read/],
  ])('%s is refused by name, and not shown', async (_, env, args, problem) => {
    const { code, stderr } = await HttpCli.refused({ env, args });
    expect(code).toBe(2);
    expect(stderr).toMatch(problem);
    expect(stderr).not.toContain('"short"');
  });

  it('a port that is taken is told', async () => {
    await using cli = await HttpCli.open();
    const { code, stderr } = await HttpCli.refused({ address: cli.url.port });
    expect(code).toBe(1);
    expect(stderr).toContain('EADDRINUSE');
  });
});

function openedIn(metrics: string): string | undefined {
  return /mcpmux_sessions_opened_total (\d+)/.exec(metrics)?.[1];
}
