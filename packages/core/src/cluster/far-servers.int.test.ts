import { fixtureCommand } from '@mcpmux/test-servers';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { expect, it } from 'vitest';

import { concurrency } from '../guards/index.js';
import { HOST } from '../guards/principal.js';
import { createMux } from '../index.js';
import { lone } from '../testing/lone-call.js';
import { FarServers } from './far-servers.js';
import type { ClusterLink } from './link.js';
import { Links } from './links.js';
import { MemoryNetwork } from './memory-network.js';
import type { Place } from './places.js';

const LIMIT_MS = 2000;
const PLACE: Place = { kind: 'there', node: 'b-1', name: 'b', epoch: 1, record: { spec: {} } };

/** A mux in front of a server that another node runs, with a time limit for calls. */
async function twoNodes() {
  const state = { isSilent: false };
  const clock = new ManualClock();
  const later = (deliver: () => void): void => queueMicrotask(() => state.isSilent || deliver());
  const network = new MemoryNetwork({ later });
  const [near, owner] = [createMux({}, { clock }), createMux({}, { clock })];
  const server = { ...fixtureCommand('hold-calls'), callTimeoutMs: LIMIT_MS };
  await owner.addServer('hold', server);
  owner.use(concurrency({ max: 1, by: ['server'], tools: ['hold'] }));
  const serve = () => (link: ClusterLink) =>
    void owner.connect({ input: link, output: link }, { principal: HOST, server: 'hold' });
  const there = new Links({ cluster: network.join(), clock, node: 'b-1', serve });
  const here = new Links({ cluster: network.join(), clock, node: 'a-1', serve: () => 'none' });
  const far = new FarServers({ places: new Map([['hold', PLACE]]), links: () => here });
  await near.addServer('hold', far.config('hold', LIMIT_MS));
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 100) {
      clock.advance(100);
      await nextTurn();
    }
  };
  return {
    state,
    pass,
    call: (key: string) => lone({ mux: near }, { name: 'hold__hold', arguments: { key } }),
    release: (key: string) => lone({ mux: owner }, { name: 'hold__release', arguments: { key } }),
    [Symbol.asyncDispose]: async () => {
      here.close();
      there.close();
      await Promise.all([near.close(), owner.close()]);
    },
  };
}

it('a call to a node that was stopped fails 5 seconds after the time limit of the server, with the reason', async () => {
  await using nodes = await twoNodes();
  nodes.state.isSilent = true;
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
