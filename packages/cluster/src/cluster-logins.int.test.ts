import { expect, it } from 'vitest';
import type { LoginStore } from '@mcpmux/core';
import { GuardedServer, MemoryLogins } from '@mcpmux/core/testing/logged-in';
import { textOf } from '@mcpmux/core/testing/mux-rig';

import { ClusterRig, untilRunning } from './testing/cluster-rig.js';
import { ClusterLogins } from './cluster-logins.js';
import type { Cluster } from './cluster.js';
import { MemoryNetwork } from './memory-network.js';
import { loginKeys } from './sealed-login.js';

/** The logins of a node that has the key of the test. */
async function sharedLogins(cluster: Cluster): Promise<LoginStore> {
  const keys = loginKeys(Buffer.alloc(32, 7).toString('base64'));
  if ('problem' in keys) throw new Error(keys.problem);
  const bucket = await cluster.bucket('tokens');
  return new ClusterLogins({ bucket, keys, local: new MemoryLogins(), warn: () => undefined });
}

it('a server that moves to another node needs no other login, and its new node alone renews it', async () => {
  await using remote = await GuardedServer.open();
  const network = new MemoryNetwork();
  await using rig = await ClusterRig.open(() => Promise.resolve(network.join()));
  const a = await rig.node('a', { logins: sharedLogins });
  const b = await rig.node('b', { logins: sharedLogins });
  // Any node saves the login, whichever runs the server.
  await (await sharedLogins(b.cluster)).save(remote.url, await remote.logIn());
  await a.member.publish('far', { spec: { url: remote.url, login: true } }, true);
  await Promise.all([a, b].map(({ mux }) => untilRunning(mux, 'far')));
  const owner = rig.ownerOf('far');
  const other = rig.otherThan(owner);
  const client = await rig.client(other);
  remote.gate.expire();
  expect(textOf((await client.call('far__echo', { message: 'one' })).result)).toBe('one');
  await owner.member.drain();
  await expect.poll(() => other.member.node.places.get('far')?.kind).toBe('here');
  await untilRunning(other.mux, 'far');
  remote.gate.expire();
  expect(textOf((await client.call('far__echo', { message: 'two' })).result)).toBe('two');
  // One login, and one renewal by each owner: with the token that the owner before it was given.
  const renewals = remote.gate.asked.map((form) => form.get('refresh_token'));
  expect(renewals).toEqual([null, 'refresh-1', 'refresh-2']);
  expect(await (await sharedLogins(a.cluster)).load(remote.url)).toMatchObject({
    tokens: { refresh_token: 'refresh-3' },
  });
});

it('a node without the cluster uses the token that it has, and renews none', async () => {
  await using remote = await GuardedServer.open();
  const network = new MemoryNetwork();
  const cluster = network.join();
  await using rig = await ClusterRig.open(() => Promise.resolve(cluster));
  const node = await rig.node('a', { logins: sharedLogins });
  await (await sharedLogins(cluster)).save(remote.url, await remote.logIn());
  await node.member.publish('far', { spec: { url: remote.url, login: true } }, true);
  await untilRunning(node.mux, 'far');
  const client = await rig.client(node);
  const call = async (message: string): Promise<string> =>
    textOf((await client.call('far__echo', { message })).result);
  cluster.connect(false);
  expect(await call('alone')).toBe('alone');
  remote.gate.expire();
  expect(await call('later')).toMatch(/login to http:\S+ is in the cluster, which does not answer/);
  expect(remote.gate.asked).toHaveLength(1);
  cluster.connect(true);
  await expect.poll(() => call('again')).toBe('again');
});

it('a server that did not start before the login is reached from every node after it', async () => {
  await using remote = await GuardedServer.open();
  const network = new MemoryNetwork();
  await using rig = await ClusterRig.open(() => Promise.resolve(network.join()));
  const a = await rig.node('a', { logins: sharedLogins });
  const b = await rig.node('b', { logins: sharedLogins });
  await a.member.publish('far', { spec: { url: remote.url, login: true } }, true);
  const places = (): readonly unknown[] =>
    [a, b]
      .map(({ member }) => member.node.places.get('far')?.kind ?? '')
      .toSorted((one, other) => one.localeCompare(other));
  await expect.poll(places).toEqual(['here', 'there']);
  const owner = rig.ownerOf('far');
  await expect.poll(() => owner.mux.listServers()[0]?.status).toBe('crashed');
  await (await sharedLogins(owner.cluster)).save(remote.url, await remote.logIn());
  await owner.mux.reloadServer('far');
  const client = await rig.client(rig.otherThan(owner));
  await expect
    .poll(async () => textOf((await client.call('far__echo', { message: 'in' })).result))
    .toBe('in');
});
