import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { MuxRig } from './testing/mux-rig.js';

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
  const health = { intervalMs: 20, timeoutMs: 20_000, failures: 1, tool: 'cancelled' };
  await rig.mux.addServer('well', { ...fixtureCommand('cancellable'), health });
  const before = rig.client.lines.length;
  for (let call = 0; call < 20; call += 1) await rig.client.call('well__cancelled');
  expect(rig.status('well').status).toBe('running');
  expect(rig.client.lines.slice(before).filter((line) => line.includes('"id"'))).toHaveLength(20);
});
