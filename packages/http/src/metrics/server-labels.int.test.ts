import { createMux } from '@mcpmux/core';
import { isServerName } from '@mcpmux/namespace';
import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { FrontRig } from '../testing/front-rig.js';
import { countCalls, ServerLabels } from './front-metrics.js';

const credentials = {
  principalOf: (header?: string) =>
    header === undefined ? undefined : { id: header, roles: [], rights: [] },
};

it('I23, H5: metrics name the servers that all see, and none that a principal has for itself', async () => {
  const mux = createMux({ addPolicy: { mode: 'allow' } });
  const labels: string[] = [];
  countCalls(mux, { recordCall: ({ server }) => labels.push(server) });
  await using rig = await FrontRig.guarded({ mux, entrance: { credentials, metadata: undefined } });
  await mux.addServer('ours', fixtureCommand('echo'));
  const session = await rig.session('2025-11-25', {}, { authorization: 'ann' });
  let id = 0;
  const call = async (name: string, args: object): Promise<string> => {
    const params = { name, arguments: args };
    id += 1;
    const sent = await rig.send('POST', session, { jsonrpc: '2.0', id, method: 'tools/call', params });
    await sent.ended;
    return sent.text;
  };
  const added = await call('add_server', { name: 'secret-project', ...fixtureCommand('echo') });
  expect(added).toContain('running');
  await call('ours__echo', { text: 'a' });
  await call('secret-project__echo', { text: 'a' });
  expect(labels).toEqual(['ours', '__private__']);
});

it('I23: a call counts for the server that all saw when it began, also when that was removed meanwhile', async () => {
  await using mux = createMux({ addPolicy: { mode: 'allow' } });
  const labels: string[] = [];
  countCalls(mux, { recordCall: ({ server }) => labels.push(server) });
  const begun = new Promise((resolve) => mux.on('call:start', resolve));
  await mux.addServer('ours', fixtureCommand('hold-calls'));
  const call = mux.callTool('ours__hold', { key: 'k' }).catch(() => undefined);
  await begun;
  await mux.removeServer('ours');
  await call;
  expect(labels).toEqual(['ours']);
});

it('I23: an instance of a session has the name of its template as its label, while the template is there', () => {
  const changed = new Map<string, () => void>();
  let names = ['notes'];
  const labels = new ServerLabels({
    on: (type, listener) => {
      changed.set(type, listener as () => void);
      return () => undefined;
    },
    listServers: () => names.map((name) => ({ name })) as never,
  });
  const instance = { server: 'notes', layer: 'session 1' };
  expect(labels.labelFor(instance)).toBe('notes');
  names = [];
  changed.get('server:removed')?.();
  expect(labels.labelFor(instance)).toBe('__private__');
});

it('what stands for servers that not all see is the name of no server', () => {
  const labels = new ServerLabels({ on: () => () => undefined, listServers: () => [] });
  expect(isServerName(labels.labelFor({ server: 'private', layer: 'session 1' }))).toBe(false);
});
