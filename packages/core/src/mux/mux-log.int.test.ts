import process from 'node:process';

import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { MuxRig } from '../testing/mux-rig.js';

it('M11: start and tools are logged with the server, its process id and the number of tools', async () => {
  await using rig = await MuxRig.open();
  await rig.add('p', 'paged');
  const running = rig.logger.records.find(({ message }) => message === 'server running');
  expect(running).toEqual({
    level: 'info',
    message: 'server running',
    fields: { server: 'p', protocol_version: '2025-11-25', pid: rig.pid('p'), tools: 3 },
  });
});

it('M11: an unexpected exit is logged as an error with the signal', async () => {
  await using rig = await MuxRig.open();
  await rig.add('p', 'paged');
  const crashed = rig.reached('p', 'crashed');
  process.kill(rig.pid('p'), 'SIGKILL');
  await crashed;
  const errors = rig.logger.records.filter(({ level }) => level === 'error');
  expect(errors).toMatchObject([{ fields: { server: 'p' } }]);
  expect(errors[0]?.message).toContain('SIGKILL');
});

it('M11: a call is logged at debug, without its arguments', async () => {
  await using rig = await MuxRig.open();
  await rig.add('e', 'echo');
  await rig.client.call('e__echo', { message: 'private text' });
  const calls = rig.logger.records.filter(({ level, message }) => level === 'debug' && message === 'call');
  expect(calls).toMatchObject([{ fields: { server: 'e', tool: 'echo' } }]);
  expect(JSON.stringify(rig.logger.records)).not.toContain('private text');
});

it('M11: a removal is logged', async () => {
  await using rig = await MuxRig.open();
  await rig.add('p', 'paged');
  await rig.mux.removeServer('p');
  expect(rig.logger.records).toContainEqual({
    level: 'info',
    message: 'server removed',
    fields: { server: 'p' },
  });
});

it('G1: a server with another environment is logged as another one, not as one with changed tools', async () => {
  await using rig = await MuxRig.open();
  await rig.mux.addServer('s', { ...fixtureCommand('echo'), env: { T: '1' } });
  await rig.mux.removeServer('s');
  await rig.mux.addServer('s', { ...fixtureCommand('echo'), env: { T: '2' } });
  const warnings = rig.logger.records.filter(({ level }) => level === 'warn').map(({ message }) => message);
  expect(warnings).toEqual(['the command, environment or url under this name differs from the one before']);
});
