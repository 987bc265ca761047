import process from 'node:process';

import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { MuxRig, textOf } from '../testing/mux-rig.js';

/** What `list_servers` says of these clients. */
const LEGACY = { era: 'legacy', protocol_version: '2025-11-25' };

it('M4: list_servers shows each server with command, args, status, tools, pid and uptime', async () => {
  await using rig = await MuxRig.open();
  const { command, args } = fixtureCommand('paged');
  await rig.add('p', 'paged');
  const { servers } = await rig.client.manage('list_servers');
  expect(servers).toEqual([
    {
      name: 'p',
      command,
      args,
      status: 'running',
      tools: ['p__first', 'p__second', 'p__third'],
      pid: rig.lifeline.alive[0]?.pid,
      uptime_seconds: expect.any(Number),
      restarts: 0,
      protocol_version: '2025-11-25',
      era: 'legacy',
      dropped_lines: 0,
    },
  ]);
  await expect(rig.client.manage('list_servers')).resolves.toMatchObject({
    servers: rig.mux.listServers().map(({ name }) => ({ name })),
  });
});

it('M4: list_servers of a mux without servers is an empty list', async () => {
  await using rig = await MuxRig.open();
  await expect(rig.client.manage('list_servers')).resolves.toEqual({ servers: [], client: LEGACY });
});

it('M5: a server that crashes during a call answers it with the exit code, its stderr and what to do', async () => {
  await using rig = await MuxRig.open();
  await rig.add('c', 'crash');
  const { result, error } = await rig.client.call('c__crash');
  expect(error).toBeUndefined();
  expect(result).toMatchObject({ isError: true });
  expect(textOf(result)).toContain('"c"');
  expect(textOf(result)).toContain('code 1');
  expect(textOf(result)).toContain('crash: exiting with code 1 as asked');
  expect(textOf(result)).toContain('reload_server');
});

it('M7: a server that is killed is crashed, its tools are removed, and it is not restarted', async () => {
  await using rig = await MuxRig.open();
  await rig.add('p', 'paged');
  await rig.client.listChanged(1);
  const crashed = rig.reached('p', 'crashed');
  process.kill(rig.pid('p'), 'SIGKILL');
  await crashed;
  await rig.client.listChanged(2);
  await expect(rig.client.serverTools()).resolves.toEqual([]);
  await rig.allGone();
  const { servers } = await rig.client.manage('list_servers');
  expect(servers).toMatchObject([
    { status: 'crashed', tools: [], restarts: 0, last_error: { signal: 'SIGKILL' } },
  ]);
  expect(servers).not.toHaveProperty('0.pid');
  expect(servers).not.toHaveProperty('0.uptime_seconds');
});

it('M7: a call of a crashed server says what happened, and a reload brings the server back', async () => {
  await using rig = await MuxRig.open();
  await rig.add('p', 'echo');
  const crashed = rig.reached('p', 'crashed');
  process.kill(rig.pid('p'), 'SIGKILL');
  await crashed;
  const { result } = await rig.client.call('p__echo', { message: 'x' });
  expect(result).toMatchObject({ isError: true });
  expect(textOf(result)).toContain('SIGKILL');
  expect(textOf(result)).toContain('reload_server');
  await rig.client.manage('reload_server', { name: 'p' });
  const again = await rig.client.call('p__echo', { message: 'back' });
  expect(textOf(again.result)).toBe('back');
});

it('M7: lines of stderr are logged under the name of the server', async () => {
  await using rig = await MuxRig.open();
  await rig.add('s', 'stderr-talker');
  await rig.client.call('s__talk', { lines: 1 });
  await rig.mux.removeServer('s');
  const logged = rig.logger.records.filter(({ fields }) => fields['stream'] === 'stderr');
  expect(logged.length).toBeGreaterThan(0);
  expect(logged.every(({ fields }) => fields['server'] === 's')).toBe(true);
});

it('M7: the end of the mux ends the process trees of all servers', async () => {
  await using rig = await MuxRig.open();
  await Promise.all([rig.add('t', 'tree'), rig.add('i', 'ignore-sigterm')]);
  await rig.lifeline.waitForAlive(4);
  await rig.mux.close();
  await expect(rig.allGone()).resolves.toBeUndefined();
});

it('M10: a server that closes its stdin is marked as crashed by the next call', async () => {
  await using rig = await MuxRig.open();
  await rig.add('s', 'stdin-closer');
  const isClosed = new Promise<void>((resolve) => {
    rig.mux.on('server:stderr', ({ line }) => line === 'stdin is closed' && resolve());
  });
  await rig.client.call('s__close_stdin');
  await isClosed;
  const crashed = rig.reached('s', 'crashed');
  const { result } = await rig.client.call('s__close_stdin');
  expect(result).toMatchObject({ isError: true });
  await crashed;
  await expect(rig.client.serverTools()).resolves.toEqual([]);
  await rig.allGone();
});
