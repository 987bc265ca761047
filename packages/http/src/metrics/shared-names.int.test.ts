import { createMux } from '@mcpmux/core';
import { isServerName } from '@mcpmux/namespace';
import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { FrontRig } from '../testing/front-rig.js';
import { SharedNames } from './shared-names.js';

const credentials = {
  principalOf: (header?: string) =>
    header === undefined ? undefined : { id: header, roles: [], rights: [] },
};

it('I23, H5: metrics name the servers that all see, and none that a principal has for itself', async () => {
  const mux = createMux({ addPolicy: { mode: 'allow' } });
  const names = new SharedNames(mux);
  await using rig = await FrontRig.guarded({ mux, entrance: { credentials, metadata: undefined } });
  await mux.addServer('ours', fixtureCommand('echo'));
  const session = await rig.session('2025-11-25', {}, { authorization: 'ann' });
  const params = { name: 'add_server', arguments: { name: 'secret-project', ...fixtureCommand('echo') } };
  const added = await rig.send('POST', session, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  await added.ended;
  expect(added.text).toContain('running');
  expect([names.shown('ours'), names.shown('secret-project')]).toEqual(['ours', '__private__']);
  await mux.removeServer('ours');
  expect(names.shown('ours')).toBe('__private__');
});

it('I23: a call counts for the server that all saw when it began, also when that was removed meanwhile', async () => {
  await using mux = createMux({ addPolicy: { mode: 'allow' } });
  const names = new SharedNames(mux);
  const labels: string[] = [];
  const begun = new Promise((resolve) => mux.on('call:start', resolve));
  mux.on('call:end', (call) => labels.push(names.take(call), names.take(call)));
  await mux.addServer('ours', fixtureCommand('hold-calls'));
  const call = mux.callTool('ours__hold', { key: 'k' }).catch(() => undefined);
  await begun;
  await mux.removeServer('ours');
  await call;
  expect(labels).toEqual(['ours', '__private__']);
});

it('what stands for servers that not all see is the name of no server', () => {
  const names = new SharedNames({ on: () => () => undefined, listServers: () => [] });
  expect(isServerName(names.shown('private'))).toBe(false);
});
