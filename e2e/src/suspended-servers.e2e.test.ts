import process from 'node:process';

import { Lifeline } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import { zombiesOf } from './chaos/process-files.js';
import { fixtureServer } from './testing/fixture-server.js';
import { Person } from './testing/person.js';
import { RawCli } from './testing/raw-cli.js';
import { textOf } from './testing/tool-response.js';

const GONE_MS = 10_000;
/** The stop ladder takes 3 s at most; the rest is a machine with other things to do. */
const STOPPED_WITHIN_MS = 10_000;

interface Rig extends AsyncDisposable {
  readonly cli: RawCli;
  readonly lifeline: Lifeline;
}

/** A server that is suspended, and one that is not. */
async function suspended(config: object = {}): Promise<Rig> {
  const lifeline = await Lifeline.open();
  const person = await Person.arrive();
  const servers = { still: { ...fixtureServer('faulty'), ...config }, echo: fixtureServer('echo') };
  await person.configure({ mcpServers: servers });
  const env = { ...person.environment, LIFELINE: lifeline.address };
  const cli = new RawCli({ env, cwd: person.home, args: ['--log-level', 'info', '--add-policy', 'allow'] });
  await cli.initialize();
  for (const name of ['still', 'echo'])
    await cli.until(() => cli.stderr.includes(`[${name}] server running`) || undefined);
  process.kill(await pidOf(cli), 'SIGSTOP');
  return {
    cli,
    lifeline,
    [Symbol.asyncDispose]: async () => {
      await cli[Symbol.asyncDispose]();
      await lifeline.waitForAllGone(GONE_MS);
      await lifeline[Symbol.asyncDispose]();
      await person[Symbol.asyncDispose]();
    },
  };
}

async function pidOf(cli: RawCli): Promise<number> {
  const { result } = await cli.call('list_servers');
  const listed = result?.['structuredContent'] as { servers: { name: string; pid: number }[] } | undefined;
  return listed?.servers.find(({ name }) => name === 'still')?.pid ?? 0;
}

async function timed<T>(work: Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const begun = performance.now();
  const value = await work;
  return { value, ms: performance.now() - begun };
}

describe.skipIf(process.platform === 'win32')('a server that is suspended (SIGSTOP)', () => {
  it('C3: holds up no other server, and a call that is cancelled is over', async () => {
    await using rig = await suspended();
    const { cli } = rig;
    cli.write(
      '{"jsonrpc":"2.0","id":"held","method":"tools/call","params":{"name":"still__echo","arguments":{"nonce":"a","n":0}}}',
    );
    const { value, ms } = await timed(cli.call('echo__echo', { message: 'hi' }));
    expect(textOf(value)).toBe('hi');
    expect(ms).toBeLessThan(2000);
    cli.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"held"}}');
    await cli.request('ping');
    expect(cli.messages.some(({ id }) => id === 'held')).toBe(false);
  });

  it.concurrent('F3: is removed within the bound, and its callers are answered', async () => {
    await using rig = await suspended();
    const pid = await pidOf(rig.cli);
    const held = rig.cli.call('still__echo', { nonce: 'a', n: 0 });
    const { value, ms } = await timed(rig.cli.call('remove_server', { name: 'still' }));
    expect(value.result?.['isError']).not.toBe(true);
    expect(ms).toBeLessThan(STOPPED_WITHIN_MS);
    expect(JSON.stringify(await held)).toMatch(/isError|error/);
    // The other server still runs.
    await rig.lifeline.waitForGone(pid, GONE_MS);
  });

  it.concurrent.each(['restart', 'swap'])('F3, E4: serves again after a reload (%s)', async (reload) => {
    await using rig = await suspended({ mux: { reload } });
    const held = rig.cli.call('still__echo', { nonce: 'a', n: 0 });
    const { value, ms } = await timed(rig.cli.call('reload_server', { name: 'still' }));
    expect(value.result?.['isError']).not.toBe(true);
    expect(ms).toBeLessThan(STOPPED_WITHIN_MS);
    expect(JSON.stringify(await held)).toMatch(/isError|error/);
    expect(textOf(await rig.cli.call('still__echo', { nonce: 'again', n: 0 }))).toBe('again');
  });

  it.concurrent('E8: is found by its health check, and started again', async () => {
    await using rig = await suspended({
      mux: { health: { intervalMs: 200, timeoutMs: 300, failures: 2 }, restart: 'always' },
    });
    const held = rig.cli.call('still__echo', { nonce: 'a', n: 0 });
    expect(JSON.stringify(await held)).toMatch(/isError|error/);
    await rig.cli.until(() =>
      rig.cli.stderr.match(/\[still\] server running/g)?.length === 2 ? true : undefined,
    );
    expect(textOf(await rig.cli.call('still__echo', { nonce: 'again', n: 0 }))).toBe('again');
  });

  it.concurrent('F3: does not hold up the end of mcpmux, and is gone after it', async () => {
    const rig = await suspended();
    void rig.cli.call('still__echo', { nonce: 'a', n: 0 }).catch(() => undefined);
    rig.cli.child.stdin.end();
    const { value, ms } = await timed(rig.cli.ended);
    expect(value).toEqual({ code: 0, signal: null });
    expect(ms).toBeLessThan(STOPPED_WITHIN_MS);
    await rig.lifeline.waitForAllGone(GONE_MS);
    await rig[Symbol.asyncDispose]();
  });

  it.concurrent('fault A1: that does not answer while it starts is stopped when the start time is over', async () => {
    await using cli = new RawCli();
    await cli.initialize();
    const stopsItself = { command: process.execPath, args: ['-e', "process.kill(process.pid, 'SIGSTOP')"] };
    const added = cli.call('add_server', { name: 's', ...stopsItself, startTimeoutMs: 1000 });
    const { value, ms } = await timed(added);
    expect(JSON.stringify(value)).toMatch(/isError|error/);
    expect(ms).toBeLessThan(STOPPED_WITHIN_MS);
    expect(zombiesOf(cli.child.pid ?? 0)).toEqual([]);
  });
});
