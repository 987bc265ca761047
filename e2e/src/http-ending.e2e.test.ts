import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Lifeline } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import { fixtureServer } from './testing/fixture-server.js';
import { ACCEPT, HttpCli, INITIALIZE } from './testing/http-cli.js';
import { connectV1 } from './testing/http-clients.js';

/** Of its own clock it takes 2.5 s at most; here it shares a machine with other tests. */
const BUDGET_MS = 10_000;

describe('SIGTERM', () => {
  it('I21: the call in flight is answered, streams end, and no process is left', async () => {
    await using lifeline = await Lifeline.open();
    await using cli = await HttpCli.open({ env: { LIFELINE: lifeline.address } });
    await using client = await connectV1(cli.url);
    await client.call('add_server', { name: 'h', ...fixtureServer('hold-calls') });
    await lifeline.waitForAlive(1);
    const held = client.call('h__hold', { key: 'k' });
    await cli.metric('mcpmux_requests_in_flight', 1);
    await client.call('h__release', { key: 'k' });
    const last = client.call('h__hold', { key: 'never' });
    await cli.metric('mcpmux_requests_in_flight', 1);
    const from = performance.now();
    cli.child.kill('SIGTERM');
    expect(await held).toBe('released k');
    // It is told that mcpmux ends, and does not wait for an answer that nobody gives.
    expect(await last).toBe('mcpmux is shutting down; server "h" did not answer in time.');
    expect(await cli.ended).toEqual({ code: 143, signal: null });
    expect(performance.now() - from).toBeLessThan(BUDGET_MS);
    await lifeline.waitForAllGone(10_000);
  });

  it('I21: while it drains nothing new is begun', async () => {
    await using cli = await HttpCli.open();
    await using client = await connectV1(cli.url);
    await client.call('add_server', { name: 'h', ...fixtureServer('hold-calls') });
    const held = client.call('h__hold', { key: 'k' });
    await cli.metric('mcpmux_requests_in_flight', 1);
    // This connection is there before the end, as a client that keeps one has it.
    const { hostname, port, host } = cli.url;
    const outgoing = request({ hostname, port, method: 'POST', path: '/mcp', headers: { ...ACCEPT, host } });
    outgoing.flushHeaders();
    await new Promise((resolve) => outgoing.once('socket', (socket) => socket.once('connect', resolve)));
    await cli.send({ path: '/healthz' });
    cli.child.kill('SIGTERM');
    await cli.gone();
    const status = new Promise((resolve) => {
      outgoing.once('response', (response) => resolve(response.resume().statusCode));
      outgoing.once('error', () => resolve('closed'));
    });
    outgoing.end(JSON.stringify(INITIALIZE));
    expect([503, 'closed']).toContain(await status);
    expect(await held).toContain('mcpmux is shutting down');
  });

  it('a second signal ends it at once, and no process is left', async () => {
    await using lifeline = await Lifeline.open();
    await using cli = await HttpCli.open({ env: { LIFELINE: lifeline.address } });
    await using client = await connectV1(cli.url);
    await client.call('add_server', { name: 's', ...fixtureServer('ignore-sigterm') });
    await lifeline.waitForAlive(1);
    cli.child.kill('SIGTERM');
    await cli.gone();
    cli.child.kill('SIGINT');
    expect(await cli.ended).toMatchObject({ code: 130 });
    await lifeline.waitForAllGone(10_000);
  });
});

describe('what it tells of itself', () => {
  it('I23: is ready while a server runs, and not when all have crashed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mcpmux-http-'));
    try {
      const config = join(folder, 'config.json');
      const secret = 'a-secret-in-the-environment';
      const crash = { ...fixtureServer('exit-on-start'), env: { KEY: secret } };
      await writeFile(config, JSON.stringify({ mcpServers: { bad: crash } }));
      await using cli = await HttpCli.open({ args: ['--config', config] });
      await cli.metric('mcpmux_servers{state="crashed"}', 1);
      expect(await cli.send({ path: '/readyz' })).toMatchObject({ status: 503, text: 'no server runs\n' });
      expect(await cli.send({ path: '/healthz' })).toMatchObject({ status: 200 });
      await using client = await connectV1(cli.url);
      await client.call('add_server', { name: 'e', ...fixtureServer('echo') });
      expect(await cli.send({ path: '/readyz' })).toMatchObject({ status: 200 });
      await client.call('e__echo', { message: 'x' });
      const metrics = (await cli.send({ path: '/metrics' })).text;
      expect(metrics).toContain('mcpmux_tool_calls_total{server="e",ending="result"} 1');
      expect(metrics).toContain('mcpmux_sessions 1');
      expect(metrics).toContain('mcpmux_queue_bytes 0');
      expect(metrics).not.toContain(secret);
      expect(metrics).not.toContain(client.sessionId ?? 'no session');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
