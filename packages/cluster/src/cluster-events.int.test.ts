import type { Principal } from '@mcpmux/core';
import { statelessLines } from '@mcpmux/core/testing/stateless-call';
import { modernLine } from '@mcpmux/core/testing/modern-lines';
import { MuxClient } from '@mcpmux/core/testing/mux-client';
import { fixtureCommand } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import { newCluster } from './testing/cluster-network.js';
import { ClusterRig, untilRunning, type RigNode } from './testing/cluster-rig.js';

const ANN = { id: 'ann', roles: [], rights: [] };
const BOB = { id: 'bob', roles: [], rights: [] };
const UPDATED = 'notifications/resources/updated';
const CHANGED = 'notifications/tools/list_changed';

interface Three {
  readonly owner: RigNode;
  readonly first: RigNode;
  readonly second: RigNode;
}

/** A server on one of three nodes. */
async function open(name: string, command: readonly string[]): Promise<readonly [ClusterRig, Three]> {
  const rig = await ClusterRig.open(await newCluster());
  for (const node of ['a', 'b', 'c']) await rig.node(node);
  const [program = '', ...args] = command;
  await rig.nodes[0]?.member.publish(name, { spec: { command: program, args } }, true);
  await Promise.all(rig.nodes.map(({ mux }) => untilRunning(mux, name)));
  const owner = rig.ownerOf(name);
  const [first, second] = rig.nodes.filter((node) => node !== owner);
  if (first === undefined || second === undefined) throw new Error('there are too few nodes');
  return [rig, { owner, first, second }];
}

function commandOf(
  fixture: Parameters<typeof fixtureCommand>[0],
  ...more: readonly string[]
): readonly string[] {
  const { command, args } = fixtureCommand(fixture);
  return [command, ...args, ...more];
}

/** A client with a session that wants log messages of a level. */
async function logged({ mux }: RigNode, principal: Principal, level: string): Promise<MuxClient> {
  const client = await MuxClient.initialized(mux, {}, { principal });
  await client.request('logging/setLevel', { level });
  return client;
}

function levelsOf(client: MuxClient): readonly unknown[] {
  return client.notified('notifications/message').map(({ level }) => level);
}

const FROM_ERROR = ['error', 'critical', 'alert', 'emergency'];
const ALL = ['debug', 'info', 'notice', 'warning', ...FROM_ERROR];

describe('log messages of a server on another node', () => {
  it('have the level of each client, and come to the client whose call it is', async () => {
    const [rig, { first, second }] = await open('logging', commandOf('logging'));
    await using _ = rig;
    const [ann, bob] = [await logged(first, ANN, 'error'), await logged(second, BOB, 'debug')];
    await bob.call('logging__log_all');
    expect([levelsOf(ann), levelsOf(bob)]).toEqual([[], ALL]);
    await ann.call('logging__log_all');
    await bob.request('ping');
    expect([levelsOf(ann), levelsOf(bob)]).toEqual([FROM_ERROR, ALL]);
    await bob.request('logging/setLevel', { level: 'error' });
    await bob.call('logging__log_all');
    expect(levelsOf(bob)).toEqual([...ALL, ...FROM_ERROR]);
  });

  it('come with the answer of a request that asks for them, in its level', async () => {
    const [rig, { first, second, owner }] = await open('logging', commandOf('logging'));
    await using _ = rig;
    const ask = async (node: RigNode, principal: Principal, level: string): Promise<readonly unknown[]> => {
      const meta = { 'io.modelcontextprotocol/logLevel': level };
      const params = { name: 'logging__log_all', arguments: {} };
      const lines = await statelessLines(node, 'tools/call', params, { principal, meta });
      const messages = lines.map(
        (line) => JSON.parse(line) as { method?: string; params?: { level: string } },
      );
      return messages
        .filter(({ method }) => method !== undefined)
        .map(({ params: reported }) => reported?.level);
    };
    for (const node of [first, second, owner]) {
      await expect(ask(node, ANN, 'error')).resolves.toEqual(FROM_ERROR);
      await expect(ask(node, BOB, 'debug')).resolves.toEqual(ALL);
    }
  });
});

/** A client that listens to one resource by a request of 2026-07-28. */
async function listening({ mux }: RigNode, principal: Principal, uri: string): Promise<MuxClient> {
  const client = new MuxClient(mux, { principal });
  client.send(modernLine('1', 'subscriptions/listen', { notifications: { resourceSubscriptions: [uri] } }));
  const acknowledged = await client.line((line) => line.includes('/acknowledged'));
  expect(acknowledged).toContain(uri);
  return client;
}

/** A client with a session that has subscribed to one resource. */
async function subscribed({ mux }: RigNode, principal: Principal, uri: string): Promise<MuxClient> {
  const client = await MuxClient.initialized(mux, {}, { principal });
  expect((await client.request('resources/subscribe', { uri })).error).toBeUndefined();
  return client;
}

describe('changes to resources of a server on another node', () => {
  it('are told on each node to the clients that want them, and to no other', async () => {
    const [rig, nodes] = await open('memo', commandOf('resources-many', 'memo:one', 'memo:two'));
    await using _ = rig;
    const all = [nodes.first, nodes.second, nodes.owner];
    const clientsOf = async (principal: Principal, uri: string): Promise<readonly MuxClient[]> =>
      Promise.all(all.flatMap((node) => [listening(node, principal, uri), subscribed(node, principal, uri)]));
    const [one, two] = [await clientsOf(ANN, 'memo:one'), await clientsOf(BOB, 'memo:two')];
    const caller = await MuxClient.initialized(nodes.second.mux, {}, { principal: ANN });
    await caller.call('memo__touch', { uri: 'memo:one' });
    for (const client of one) await client.line((line) => line.includes(UPDATED));
    await caller.call('memo__touch', { uri: 'memo:two' });
    for (const client of two) await client.line((line) => line.includes(UPDATED));
    for (const [clients, uri] of [
      [one, 'memo:one'],
      [two, 'memo:two'],
    ] as const)
      for (const client of clients) expect(client.notified(UPDATED)).toMatchObject([{ uri }]);
    expect(caller.count(UPDATED)).toBe(0);
  });

  it('are told after other clients of the resource have gone', async () => {
    const [rig, { first, second }] = await open('memo', commandOf('resources-many', 'memo:one'));
    await using _ = rig;
    const stays = await subscribed(first, ANN, 'memo:one');
    const [leaves, leavesToo] = [
      await subscribed(first, BOB, 'memo:one'),
      await listening(second, BOB, 'memo:one'),
    ];
    await leaves.request('resources/unsubscribe', { uri: 'memo:one' });
    leavesToo.end();
    await leavesToo.session.closed;
    await stays.call('memo__touch', { uri: 'memo:one' });
    await stays.line((line) => line.includes(UPDATED));
    expect(leaves.count(UPDATED)).toBe(0);
  });
});

describe('changes to the tools of a server on another node', () => {
  it('are told to clients of both eras on every node', async () => {
    const [rig, { first, second, owner }] = await open('changing-tools', commandOf('changing-tools'));
    await using _ = rig;
    const clients = await Promise.all(
      [first, second, owner].flatMap((node) => {
        const modern = new MuxClient(node.mux, { principal: BOB });
        modern.send(modernLine('1', 'tools/list'));
        modern.send(modernLine('2', 'subscriptions/listen', { notifications: { toolsListChanged: true } }));
        const legacy = MuxClient.initialized(node.mux, {}, { principal: ANN });
        const ready = modern.line((line) => line.includes('/acknowledged')).then(() => modern);
        return [ready, legacy.then(async (client) => client.tools().then(() => client))];
      }),
    );
    const caller = await MuxClient.initialized(first.mux, {}, { principal: ANN });
    await caller.call('changing-tools__add_tool', { name: 'late' });
    for (const client of clients)
      expect(await client.line((line) => line.includes(CHANGED))).toContain(CHANGED);
  });
});
