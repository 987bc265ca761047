import { concurrency } from '@mcpmux/core/guards';
import { lone } from '@mcpmux/core/testing/stateless-call';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { expect, it } from 'vitest';

import { remoteNodeServer } from './testing/remote-node-server.js';

const LIMIT_MS = 2000;

/** A mux in front of a server that another node runs, which has one call at a time. */
async function twoNodes() {
  const nodes = await remoteNodeServer({
    name: 'hold',
    fixture: 'hold-calls',
    limitMs: LIMIT_MS,
    stepMs: 100,
  });
  const { near, owner } = nodes;
  // the server is started again for its first client, which takes real time
  await lone({ mux: owner }, { name: 'hold__release', arguments: { key: 'none' } });
  owner.use(concurrency({ max: 1, by: ['server'], tools: ['hold'] }));
  return {
    ...nodes,
    call: (key: string) => lone({ mux: near }, { name: 'hold__hold', arguments: { key } }),
    release: (key: string) => lone({ mux: owner }, { name: 'hold__release', arguments: { key } }),
  };
}

it('a call to a node that was stopped fails 5 seconds after the time limit of the server, with the reason', async () => {
  await using nodes = await twoNodes();
  nodes.state.losesAll = true;
  const answer = nodes.call('k').catch(String);
  let isAnswered = false;
  void answer.then(() => (isAnswered = true));
  await nodes.pass(LIMIT_MS + 4500);
  expect(isAnswered).toBe(false);
  await nodes.pass(1000);
  const text = JSON.stringify(await answer);
  expect(text).toContain('Server \\"hold\\" cannot be reached: Node b-1 no longer answers.\\n');
});

it('the node that runs a server applies the time limit of its calls', async () => {
  await using nodes = await twoNodes();
  const answer = nodes.call('k').catch(String);
  await expect
    .poll(async () => {
      await nodes.pass(500);
      return Promise.race([answer.then((given) => JSON.stringify(given)), nextTurn().then(() => '')]);
    })
    .toContain('sent no response and no progress for 2 s');
});

it('a call that waits on the node of its server for longer than the limit is answered when its time has come', async () => {
  await using nodes = await twoNodes();
  const first = nodes.call('first').catch(String);
  const second = nodes.call('second');
  await nodes.pass(LIMIT_MS + 500);
  expect(JSON.stringify(await first)).toContain('no progress for 2 s');
  await nodes.pass(1000);
  await expect
    .poll(async () => {
      await nodes.release('second');
      return Promise.race([second.then(() => 'answered'), nextTurn()]);
    })
    .toBe('answered');
});
