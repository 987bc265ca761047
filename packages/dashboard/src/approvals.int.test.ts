import { approvals } from '@mcpmux/core/guards';
import { MuxClient } from '@mcpmux/core/testing/mux-client';
import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { PageRig } from './testing/page-rig.js';

/** A page of a mux in which every call of a tool needs an approval, and a call that waits. */
async function waiting() {
  const rig = await PageRig.open();
  await rig.mux.addServer('echo', fixtureCommand('echo'));
  rig.mux.use(approvals({ rules: [{}], desk: rig.mux.approvals }));
  const client = await MuxClient.initialized(rig.mux);
  const asked = new Promise((resolve) => rig.mux.approvals.watch(resolve));
  const answer = client.call('echo__echo', { message: 's3cret' });
  await asked;
  return { rig, answer };
}

it('E12: a call that waits is in the overview, with its arguments only for a person who may answer', async () => {
  const { rig: opened } = await waiting();
  await using rig = opened;
  const overview = async (mayManage: boolean): Promise<unknown> =>
    JSON.parse((await rig.send('/ui/api/overview', { headers: await rig.logIn(mayManage) })).text);
  expect(await overview(true)).toMatchObject({
    approvals: [
      { id: 1, server: 'echo', tool: 'echo', arguments: '{"message":"s3cret"}', scopes: ['once', 'session'] },
    ],
  });
  const readOnly = JSON.stringify(await overview(false));
  expect(readOnly).toContain('"tool":"echo"');
  expect(readOnly).not.toContain('s3cret');
});

it.each([
  [{ id: 1, isAllowed: true, scope: 'once' }, 's3cret'],
  [{ id: 1, isAllowed: 'true', scope: 'once' }, 'the user declined it'],
  [{ id: 1, scope: 'once' }, 'the user declined it'],
])('E12: a post of %j answers the call: %s', async (body, text) => {
  const { rig: opened, answer } = await waiting();
  await using rig = opened;
  const headers = await rig.logIn(true);
  expect((await rig.send('/ui/api/approve', { method: 'POST', headers, body })).status).toBe(200);
  expect(JSON.stringify(await answer)).toContain(text);
});

it.each([
  { id: 2, isAllowed: true, scope: 'once' },
  { id: '1', isAllowed: true, scope: 'once' },
  { id: 1, isAllowed: true, scope: 'always' },
  { id: 1, isAllowed: true },
])('E12: a post of %j answers nothing', async (body) => {
  const { rig: opened } = await waiting();
  await using rig = opened;
  const headers = await rig.logIn(true);
  expect((await rig.send('/ui/api/approve', { method: 'POST', headers, body })).status).toBe(409);
  expect(rig.mux.approvals.list()).toHaveLength(1);
});
