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
