import { fixtureCommand, type FixtureName } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import { MuxClient } from '../testing/mux-client.js';
import { MuxRig, textOf } from '../testing/mux-rig.js';

const WAIT = { timeout: 10_000 };

const own = (fixture: FixtureName): Parameters<MuxRig['mux']['addServer']>[1] => ({
  ...fixtureCommand(fixture),
  isolation: 'session',
});

/** What a client is shown of its one server. */
async function statusFor(client: MuxClient): Promise<Record<string, unknown>> {
  const { servers } = await client.manage('list_servers');
  const [status = {}] = servers as readonly Record<string, unknown>[];
  return status;
}

async function pidFor(client: MuxClient): Promise<number> {
  const { pid } = await statusFor(client);
  if (typeof pid !== 'number') throw new Error('no process runs for this client');
  return pid;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function resourcesOf(client: MuxClient): Promise<readonly unknown[]> {
  const { result } = await client.request('resources/list');
  return (result?.['resources'] ?? []) as readonly unknown[];
}

/** A mux whose client has used its own run of the server `mine`. */
async function rigWith(fixture: FixtureName): Promise<MuxRig> {
  const rig = await MuxRig.open();
  const listed = rig.client.listChanged(1);
  await rig.mux.addServer('mine', own(fixture));
  await listed;
  return rig;
}

const echo = (client: MuxClient, message: string): Promise<unknown> =>
  client.call('mine__echo', { message }).then(({ result }) => textOf(result));

describe('a server with isolation: session', () => {
  it('H5: has one process for each session that uses it, and none for those that do not', async () => {
    await using rig = await rigWith('echo');
    const [two, three] = [await MuxClient.initialized(rig.mux), await MuxClient.initialized(rig.mux)];
    for (const client of [rig.client, two, three]) {
      expect(await client.serverTools()).toEqual(['mine__echo', 'mine__slow_echo']);
    }
    expect(await echo(two, 'second')).toBe('second');
    expect(await echo(rig.client, 'first')).toBe('first');
    expect(await pidFor(two)).not.toBe(await pidFor(rig.client));
    expect(await statusFor(three)).toMatchObject({ status: 'idle', settings: { isolation: 'session' } });
    expect(rig.mux.listServers()).toMatchObject([{ name: 'mine', status: 'idle' }]);
  });

  it('H5: ends with its session, and no other one does', async () => {
    await using rig = await rigWith('echo');
    const two = await MuxClient.initialized(rig.mux);
    await echo(two, 'hi');
    const [first, second] = [await pidFor(rig.client), await pidFor(two)];
    two.end();
    await two.session.closed;
    await expect.poll(() => isAlive(second), WAIT).toBe(false);
    expect(isAlive(first)).toBe(true);
    expect(await echo(rig.client, 'still here')).toBe('still here');
    rig.client.end();
    await expect.poll(() => isAlive(first), WAIT).toBe(false);
  });

  it('crashes for the session whose call it was alone', async () => {
    await using rig = await rigWith('crash');
    const two = await MuxClient.initialized(rig.mux);
    expect(await two.call('mine__crash')).toMatchObject({ result: { isError: true } });
    expect(await statusFor(two)).toMatchObject({ status: 'crashed' });
    expect(await statusFor(rig.client)).toMatchObject({ status: 'running' });
  });

  it('is reloaded and removed by a session for itself, and keeps its name', async () => {
    await using rig = await rigWith('echo');
    const two = await MuxClient.initialized(rig.mux);
    await echo(two, 'hi');
    const [first, second] = [await pidFor(rig.client), await pidFor(two)];
    await two.manage('reload_server', { name: 'mine' });
    expect(await pidFor(two)).not.toBe(second);
    await two.manage('remove_server', { name: 'mine' });
    expect(await two.serverTools()).toEqual([]);
    const { command, args } = fixtureCommand('echo');
    const again = await two.call('add_server', { name: 'mine', command, args });
    expect(textOf(again.result)).toContain('each session has its own session instance');
    expect(await pidFor(rig.client)).toBe(first);
    expect(rig.mux.listServers()).toHaveLength(1);
  });

  it('is reloaded and removed by its host for all', async () => {
    await using rig = await rigWith('echo');
    const two = await MuxClient.initialized(rig.mux);
    const first = await pidFor(rig.client);
    expect(await rig.mux.reloadServer('mine')).toMatchObject({ status: 'idle' });
    const second = await pidFor(rig.client);
    expect(second).not.toBe(first);
    expect(await statusFor(two)).toMatchObject({ status: 'idle' });
    await rig.mux.removeServer('mine');
    expect([first, second].map(isAlive)).toEqual([false, false]);
    for (const client of [rig.client, two]) expect(await client.serverTools()).toEqual([]);
    expect(rig.mux.listServers()).toEqual([]);
  });

  it('starts for nobody before it is needed, where it is known what it lists', async () => {
    await using rig = await rigWith('echo');
    const lists = rig.mux.remember('mine');
    await rig.mux.removeServer('mine');
    await rig.mux.addServer('mine', own('echo'), lists && { remembered: lists });
    expect(await statusFor(rig.client)).toMatchObject({ status: 'idle', restarts: 0 });
    expect(await echo(rig.client, 'now')).toBe('now');
  });

  it('lists for the next sessions what its process listed at the start, and nothing that came for one session', async () => {
    await using rig = await rigWith('changing-tools');
    const fresh = await rig.client.serverTools();
    const changed = rig.client.listChanged(2);
    await rig.client.call('mine__add_tool', { name: 'late' });
    await changed;
    expect(await rig.client.serverTools()).toContain('mine__late');
    const two = await MuxClient.initialized(rig.mux);
    expect(await two.serverTools()).toEqual(fresh);
    expect(JSON.stringify(rig.mux.remember('mine'))).not.toContain('late');
  });

  it('lists no resource for a session whose own process has not listed it', async () => {
    await using rig = await rigWith('resources-many');
    expect(await resourcesOf(rig.client)).not.toEqual([]);
    const two = await MuxClient.initialized(rig.mux);
    expect(await resourcesOf(two)).toEqual([]);
    expect(rig.mux.remember('mine')).not.toHaveProperty('resources');
  });

  it('is no news in the log, for a session that has not used it', async () => {
    await using rig = await rigWith('echo');
    const before = rig.logger.records.length;
    const two = await MuxClient.initialized(rig.mux);
    expect(await statusFor(two)).toMatchObject({ status: 'idle' });
    two.end();
    await two.session.closed;
    const reported = (): readonly (readonly unknown[])[] =>
      rig.logger.records
        .slice(before)
        .filter(({ fields }) => fields['server'] === 'mine')
        .map(({ level, message, fields }) => [level, message, fields['action']]);
    await expect.poll(() => reported().at(-1), WAIT).toEqual(['debug', 'audit', 'remove']);
    expect(reported()).toEqual([
      ['debug', 'server added', undefined],
      ['debug', 'audit', 'add'],
      ['debug', 'server idle: it starts when a request needs it', undefined],
      ['debug', 'server removed', undefined],
      ['debug', 'audit', 'remove'],
    ]);
    rig.client.end();
    await expect.poll(reported, WAIT).toContainEqual(['info', 'audit', 'remove']);
  });

  it('of one that nothing is known of, nothing is to be remembered', async () => {
    await using rig = await MuxRig.open();
    await rig.mux.addServer('mine', own('never-initialize'));
    expect(rig.mux.remember('mine')).toBeUndefined();
  });

  it('does not count as many as there are sessions among the servers that there may be', async () => {
    await using rig = await MuxRig.open({ limits: { maxServers: 2 } });
    await rig.mux.addServer('mine', own('echo'));
    await MuxClient.initialized(rig.mux);
    await MuxClient.initialized(rig.mux);
    expect(await rig.add('other', 'echo')).toMatchObject({ status: 'running' });
    await expect(rig.add('third', 'echo')).rejects.toThrow('which is the limit');
  });
});
