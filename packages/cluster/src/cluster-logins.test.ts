import { expect, it } from 'vitest';
import { MemoryLogins } from '@mcpmux/core/testing/logged-in';

import { ClusterLogins } from './cluster-logins.js';
import { ClusterError } from './cluster.js';
import { MemoryNetwork, type MemoryCluster } from './memory-network.js';
import { loginKeys, recordKeyOf } from './sealed-login.js';

const URL_A = 'https://a.example/mcp?key=s3cret';
const [OLD, NEW] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));

interface Node {
  readonly logins: ClusterLogins;
  readonly local: MemoryLogins;
  readonly cluster: MemoryCluster;
  readonly warnings: string[];
}

/** A node of a network with these keys. */
async function nodeOf(network: MemoryNetwork, text = OLD ?? ''): Promise<Node> {
  const keys = loginKeys(text);
  if ('problem' in keys) throw new Error(keys.problem);
  const [cluster, local] = [network.join(), new MemoryLogins()];
  const warnings: string[] = [];
  const warn = (url: string, problem: string): void => void warnings.push(`${url} ${problem}`);
  return {
    logins: new ClusterLogins({ bucket: await cluster.bucket('tokens'), keys, local, warn }),
    local,
    cluster,
    warnings,
  };
}

it('a login that is saved on one node is the login of every node, until it is forgotten', async () => {
  const network = new MemoryNetwork();
  const [a, b] = [await nodeOf(network), await nodeOf(network)];
  await a.logins.save(URL_A, { token: 'one' });
  expect(await b.logins.load(URL_A)).toEqual({ token: 'one' });
  await b.logins.change(URL_A, (login) => ({ ...login, token: 'two' }));
  expect(await a.logins.load(URL_A)).toEqual({ token: 'two' });
  await a.logins.save(URL_A, { token: 'three' });
  expect(await b.logins.load(URL_A)).toEqual({ token: 'three' });
  expect(await b.logins.forget(URL_A)).toBe(true);
  expect(await a.logins.load(URL_A)).toBeUndefined();
  expect(await a.logins.forget(URL_A)).toBe(false);
  expect([...a.local.kept, ...b.local.kept]).toEqual([]);
});

it('changes by several nodes at once are all kept, and a login that is not there is not made', async () => {
  const network = new MemoryNetwork();
  const nodes = await Promise.all(Array.from({ length: 4 }, () => nodeOf(network)));
  const increase = ({ logins }: Node): Promise<void> =>
    logins.change(URL_A, (login) => ({ count: Number(login['count']) + 1 }));
  await Promise.all(nodes.map(increase));
  expect(await nodes[0]?.logins.load(URL_A)).toBeUndefined();
  await nodes[0]?.logins.save(URL_A, { count: 0 });
  await Promise.all(nodes.map(increase));
  expect(await nodes[0]?.logins.load(URL_A)).toEqual({ count: 4 });
});

it('a login from before the cluster becomes one of the cluster, and does not come back when it is forgotten', async () => {
  const network = new MemoryNetwork();
  const [a, b] = [await nodeOf(network), await nodeOf(network)];
  await a.local.save(URL_A, { token: 'mine' });
  await b.local.save(URL_A, { token: 'late' });
  expect(await a.logins.load(URL_A)).toEqual({ token: 'mine' });
  expect(await b.logins.load(URL_A)).toEqual({ token: 'mine' });
  expect(a.local.kept.size).toBe(0);
  await b.logins.forget(URL_A);
  expect(await a.logins.load(URL_A)).toBeUndefined();
  expect(await b.logins.load(URL_A)).toBeUndefined();
});

it('with another key a node warns once, leaves the record as it is, and uses a login of its own', async () => {
  const network = new MemoryNetwork();
  const [a, b] = [await nodeOf(network), await nodeOf(network, NEW)];
  await a.logins.save(URL_A, { token: 'hidden-token' });
  expect(await b.logins.load(URL_A)).toBeUndefined();
  await b.logins.save(URL_A, { token: 'own' });
  await b.logins.change(URL_A, (login) => ({ ...login, more: 1 }));
  expect(await b.logins.load(URL_A)).toEqual({ token: 'own', more: 1 });
  expect(await a.logins.load(URL_A)).toEqual({ token: 'hidden-token' });
  expect([a, b].map(({ logins }) => logins.isLocal(URL_A))).toEqual([false, true]);
  expect(b.warnings).toEqual([
    expect.stringMatching(
      /in the cluster cannot be read: it is sealed with the key [\da-f]{16}, and this node has [\da-f]{16}\./,
    ),
  ]);
  for (const value of ['hidden-token', OLD, NEW]) expect(b.warnings.join()).not.toContain(value);
  expect(await b.logins.forget(URL_A)).toBe(true);
  expect([await a.logins.load(URL_A), await b.logins.load(URL_A)]).toEqual([undefined, undefined]);
});

it('K9: a record that was moved from another server, or changed, is no login', async () => {
  const network = new MemoryNetwork();
  const a = await nodeOf(network);
  await a.logins.save(URL_A, { token: 'one' });
  const bucket = await a.cluster.bucket('tokens');
  const record = await bucket.get(recordKeyOf(URL_A));
  const URL_B = 'https://b.example/mcp';
  await bucket.create(recordKeyOf(URL_B), record?.value ?? new Uint8Array());
  expect(await a.logins.load(URL_B)).toBeUndefined();
  expect(a.warnings).toEqual([expect.stringContaining('Log out and log in again')]);
});

it('a key is replaced while nodes run: all of them open, the first one seals', async () => {
  const network = new MemoryNetwork();
  const [a, b] = [await nodeOf(network, OLD), await nodeOf(network, `${NEW},${OLD}`)];
  await a.logins.save(URL_A, { token: 'one' });
  expect(await b.logins.load(URL_A)).toEqual({ token: 'one' });
  const c = await nodeOf(network, NEW);
  expect(await c.logins.load(URL_A)).toEqual({ token: 'one' });
  expect([...b.warnings, ...c.warnings]).toEqual([]);
});

it('without the cluster no login is read, changed or made: its newest tokens are elsewhere', async () => {
  const a = await nodeOf(new MemoryNetwork());
  await a.logins.save(URL_A, { token: 'one' });
  a.cluster.connect(false);
  for (const work of [
    a.logins.load(URL_A),
    a.logins.save(URL_A, {}),
    a.logins.change(URL_A, (login) => login),
  ]) {
    const { reason } = ((await Promise.allSettled([work]))[0] ?? {}) as PromiseRejectedResult;
    expect(reason).toBeInstanceOf(ClusterError);
    expect(String(reason)).toMatch(/login to https:\/\/a\.example\/mcp\?key=\*\*\* is in the cluster, which/);
    expect(String(reason)).not.toContain('s3cret');
  }
  a.cluster.connect(true);
  expect(await a.logins.load(URL_A)).toEqual({ token: 'one' });
  expect(a.local.kept.size).toBe(0);
});
