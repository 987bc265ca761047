import { createMux } from '@mcpmux/core';
import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { FrontRig } from '../testing/front-rig.js';
import { SharedNames } from './shared-names.js';

const credentials = {
  principalOf: (header?: string) =>
    header === undefined ? undefined : { id: header, roles: [], rights: [] },
};

it('I23, H5: metrics name the servers that all see, and none that a principal has for itself', async () => {
  const mux = createMux();
  const names = new SharedNames(mux);
  await using rig = await FrontRig.guarded({ mux, entrance: { credentials, metadata: undefined } });
  await mux.addServer('ours', fixtureCommand('echo'));
  const session = await rig.session('2025-11-25', {}, { authorization: 'ann' });
  const params = { name: 'add_server', arguments: { name: 'secret-project', ...fixtureCommand('echo') } };
  const added = await rig.send('POST', session, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  await added.ended;
  expect(added.text).toContain('running');
  expect([names.shown('ours'), names.shown('secret-project')]).toEqual(['ours', 'private']);
  await mux.removeServer('ours');
  expect(names.shown('ours')).toBe('private');
});
