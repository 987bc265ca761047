import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { MuxRig } from '../testing/mux-rig.js';

it('A8: a server whose tool for health checks fails is stopped as crashed, and says so', async () => {
  await using rig = await MuxRig.open();
  const health = { intervalMs: 20, failures: 2, tool: 'no_such_tool' };
  await rig.mux.addServer('sick', { ...fixtureCommand('echo'), health });
  await rig.reached('sick', 'crashed');
  expect(rig.status('sick').last_error?.message).toBe(
    'Server "sick" failed 2 health checks by its tool "no_such_tool" and was stopped.',
  );
  await rig.allGone();
});

it('the host sees when a server has answered its last ping; clients of mcpmux do not', async () => {
  await using rig = await MuxRig.open();
  await rig.mux.addServer('pinged', { ...fixtureCommand('echo'), health: { intervalMs: 20 } });
  await rig.mux.addServer('unasked', { ...fixtureCommand('echo'), health: { intervalMs: 600_000 } });
  await rig.mux.addServer('unchecked', fixtureCommand('echo'));
  const health = () => rig.mux.listServers({ everywhere: true }).map((server) => server.health);
  await expect
    .poll(health)
    .toEqual([{ missed: 0, answered_seconds_ago: expect.any(Number) as number }, { missed: 0 }, undefined]);
  expect(JSON.stringify(await rig.client.call('list_servers'))).not.toContain('answered_seconds_ago');
});

it('A8: a server whose tool for health checks answers goes on, and nobody else sees its answers', async () => {
  await using rig = await MuxRig.open();
  const health = { intervalMs: 20, timeoutMs: 20_000, failures: 1, tool: 'received' };
  await rig.mux.addServer('well', { ...fixtureCommand('requests-log'), health });
  const before = rig.client.lines.length;
  let own = 0;
  const checks = async (): Promise<number> => {
    own += 1;
    const received = JSON.stringify(await rig.client.call('well__received'));
    return received.split('tools/call').length - 1 - own;
  };
  await expect.poll(checks, { interval: 20, timeout: 20_000 }).toBeGreaterThanOrEqual(3);
  expect(rig.status('well').status).toBe('running');
  expect(rig.client.lines.slice(before).filter((line) => line.includes('"id"'))).toHaveLength(own);
});
