import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Lifeline } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import { fixtureServer } from './testing/fixture-server.js';
import { HttpCli } from './testing/http-cli.js';
import { connectV1, connectV2, type HttpClient } from './testing/http-clients.js';

interface Status {
  readonly name: string;
  readonly status: string;
  readonly pid?: number;
}

async function statusFor(client: HttpClient): Promise<Status | undefined> {
  const { servers } = JSON.parse(await client.call('list_servers')) as {
    readonly servers: readonly Status[];
  };
  return servers.find(({ name }) => name === 'mine');
}

describe('a server of the config with isolation: session', () => {
  it('H5: has a process for each session over HTTP, which ends with it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mcpmux-http-'));
    try {
      const config = join(folder, 'config.json');
      const mine = { ...fixtureServer('echo'), mux: { isolation: 'session' } };
      await writeFile(config, JSON.stringify({ mcpServers: { mine } }));
      await using lifeline = await Lifeline.open();
      await using cli = await HttpCli.open({
        args: ['--config', config],
        env: { LIFELINE: lifeline.address },
      });
      const one = await connectV1(cli.url);
      await expect.poll(() => one.tools(), { timeout: 10_000 }).toContain('mine__echo');
      const two = await connectV2(cli.url);
      expect(await two.tools()).toContain('mine__echo');
      expect(await statusFor(two)).toMatchObject({ status: 'idle' });
      expect(await two.call('mine__echo', { message: 'mine' })).toBe('mine');
      const [first, second] = [await statusFor(one), await statusFor(two)];
      expect(first?.pid).toBeTypeOf('number');
      expect(second?.pid).toBeTypeOf('number');
      expect(first?.pid).not.toBe(second?.pid);
      await cli.metric('mcpmux_servers{state="running"}', 2);
      await cli.metric('mcpmux_servers_restarting{state="given-up"}', 0);
      await two.terminate();
      expect(await statusFor(one)).toMatchObject({ pid: first?.pid });
      await one.terminate();
      await lifeline.waitForAllGone(10_000);
      expect((await cli.send({ path: '/readyz' })).status).toBe(200);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('--isolated', () => {
  it('H5: what a client adds is seen by no other one, and ends with its session', async () => {
    await using lifeline = await Lifeline.open();
    await using cli = await HttpCli.open({ args: ['--isolated'], env: { LIFELINE: lifeline.address } });
    const one = await connectV1(cli.url);
    const two = await connectV2(cli.url);
    await one.call('add_server', { name: 'mine', ...fixtureServer('echo') });
    expect(await one.tools()).toContain('mine__echo');
    expect(await two.tools()).not.toContain('mine__echo');
    await one.terminate();
    await lifeline.waitForAllGone(10_000);
    expect(await statusFor(two)).toBeUndefined();
  });
});
