import { expect, it } from 'vitest';

import type { ClusterShown } from './index.js';
import { PageRig } from './testing/page-rig.js';

const SHOWN: ClusterShown = {
  self: 'a-1',
  isConnected: true,
  nodes: [],
  servers: [{ name: 'echo', reason: 'no node has the label gpu' }],
};

async function opened() {
  const drained: string[] = [];
  const cluster = {
    read: () => SHOWN,
    drain: (node: string) =>
      node === 'gone'
        ? Promise.reject(new Error('the node has ended'))
        : Promise.resolve(void drained.push(node)),
  };
  return { rig: await PageRig.open({ cluster }), drained };
}

it('the overview of a node tells of its cluster, and that of another mcpmux of none', async () => {
  const { rig } = await opened();
  await using _ = rig;
  const overview = await rig.send('/ui/api/overview', { headers: await rig.logIn() });
  expect(JSON.parse(overview.text)).toMatchObject({ cluster: SHOWN });
  await using alone = await PageRig.open();
  const headers = await alone.logIn();
  const own = await alone.send('/ui/api/overview', { headers });
  expect(JSON.parse(own.text)).not.toHaveProperty('cluster');
  const drain = await alone.send('/ui/api/drain', { method: 'POST', headers, body: { node: 'a-1' } });
  expect(drain.status).toBe(404);
});

it('a node is drained by a link that may manage alone, and a refusal is the answer', async () => {
  const { rig, drained } = await opened();
  await using _ = rig;
  const post = async (mayManage: boolean, body: object) =>
    rig.send('/ui/api/drain', { method: 'POST', headers: await rig.logIn(mayManage), body });
  expect((await post(false, { node: 'b-1' })).status).toBe(403);
  expect((await post(true, {})).status).toBe(400);
  expect(drained).toEqual([]);
  expect(JSON.parse((await post(true, { node: 'b-1' })).text)).toEqual({ status: 'drained' });
  expect(drained).toEqual(['b-1']);
  const gone = await post(true, { node: 'gone' });
  expect([gone.status, gone.text]).toEqual([409, '{"error":"the node has ended"}']);
});

it.each([
  ['without a session', false, {}, 401],
  ['from another origin', true, { origin: 'https://evil.example' }, 403],
  ['from another site, without an origin', true, { 'sec-fetch-site': 'cross-site' }, 403],
  ['of a form', true, { 'content-type': 'text/plain' }, 403],
])('a drain %s is refused, and drains nothing', async (...[, hasSession, foreign, status]) => {
  const { rig, drained } = await opened();
  await using _ = rig;
  const headers = { ...(hasSession ? await rig.logIn() : {}), ...foreign };
  const answer = await rig.send('/ui/api/drain', { method: 'POST', headers, body: { node: 'b-1' } });
  expect(answer.status).toBe(status);
  expect(drained).toEqual([]);
});
