import { expect, it } from 'vitest';

import { ClusterRig } from './testing/cluster-rig.js';
import { textOf } from '@mcpmux/core/testing/mux-rig';
import { systemClock } from '@mcpmux/kit';
import { fixtureCommand } from '@mcpmux/test-servers';
import { clusterBuckets } from './directory.js';
import { Links } from './links.js';
import { MemoryNetwork, type MemoryCluster } from './memory-network.js';
import { keyOf } from './records.js';

const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));
const LATER = { later: { members: ['that', 1] } };
/** Longer than a test: the node of a later version writes its record once, and must not be treated as gone. */
const LEASE_MS = 120_000;

/** A cluster with one node of this version, and the connection of a node of a later version. */
async function mixed(): Promise<{ rig: ClusterRig; later: MemoryCluster }> {
  const network = new MemoryNetwork();
  const rig = await ClusterRig.open(() => Promise.resolve(network.join()), LEASE_MS);
  await rig.node('old');
  return { rig, later: network.join() };
}

it('a server that a later version has written runs here, and its record stays as it was written', async () => {
  const { rig, later } = await mixed();
  await using _ = rig;
  const { servers } = await clusterBuckets(later);
  const { command, args } = fixtureCommand('echo');
  const record = { spec: { command, args }, ...LATER };
  const revision = await servers.create(keyOf('echo'), bytes(record));
  await expect.poll(() => rig.nodes[0]?.member.node.places.get('echo')?.kind).toBe('here');
  expect(await servers.get(keyOf('echo'))).toMatchObject({ revision });
});

it('a server that a later version has written in its shape is the one of the config, unless what is known differs', async () => {
  const { rig, later } = await mixed();
  await using _ = rig;
  const { servers } = await clusterBuckets(later);
  const { command, args } = fixtureCommand('echo');
  const spec = { command, args };
  await servers.create(keyOf('echo'), bytes({ spec, singleton: false, ...LATER }));
  const member = rig.nodes[0]?.member;
  expect(await member?.publish('echo', { spec }, false)).toBe(true);
  expect(await member?.publish('echo', { spec, singleton: true }, false)).toBe(false);
});

it('a node of a later version is a node: the servers that it owns are there', async () => {
  const { rig, later } = await mixed();
  await using _ = rig;
  const { servers, nodes, owners } = await clusterBuckets(later);
  const asked: unknown[] = [];
  const links = new Links({
    cluster: later,
    clock: systemClock,
    node: 'new-1',
    serve: (hello) => {
      asked.push(hello);
      return 'it says why';
    },
  });
  const record = {
    name: 'new',
    labels: [],
    capacity: 9,
    servers: 1,
    version: '999.0.0',
    started: 't',
    ...LATER,
  };
  await nodes.create('new-1', bytes(record));
  await owners.create(keyOf('echo'), bytes({ node: 'new-1', name: 'new', epoch: 1, ...LATER }));
  await servers.create(keyOf('echo'), bytes({ spec: {}, ...LATER }));
  await expect
    .poll(() => rig.nodes[0]?.member.node.places.get('echo'))
    .toMatchObject({ kind: 'there', name: 'new' });
  await expect.poll(() => asked).toContainEqual(expect.objectContaining({ server: 'echo' }));
  // The old node says what the later one has said.
  await expect
    .poll(() => rig.nodes[0]?.mux.listServers()[0]?.last_error?.message ?? '')
    .toContain('it says why');
  links.close();
});

it('a link whose hello has members of a later version is served, and messages of unknown kinds are passed over', async () => {
  const { rig, later } = await mixed();
  await using _ = rig;
  await rig.server('echo');
  const owner = rig.ownerOf('echo');
  const place = owner.member.node.places.get('echo');
  const epoch = place?.kind === 'here' ? place.epoch : 0;
  const peers: string[] = [];
  const link = await new Links({
    cluster: watching(later, (to) => peers.push(to)),
    clock: systemClock,
    node: 'new-1',
    serve: () => 'no',
  }).open('old-0', { server: 'echo', epoch, ...LATER });
  const probe = later.mailbox('probe', { message: () => undefined, nobody: () => undefined });
  for (const kind of [6, 7, 255]) for (const to of new Set(peers)) probe.send(to, Buffer.of(kind, 1, 2, 3));
  link.write(
    `${JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'echo',
        arguments: { message: 'across versions' },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'later', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    })}\n`,
  );
  let text = '';
  for await (const part of link) {
    text += String(part);
    if (text.includes('"id":1')) break;
  }
  const answer = text.split('\n').find((line) => line.includes('"id":1')) ?? '{}';
  expect(textOf((JSON.parse(answer) as { result?: Record<string, unknown> }).result)).toBe('across versions');
});

/** A connection that tells where it sends to. */
function watching(cluster: MemoryCluster, note: (to: string) => void): MemoryCluster {
  const mailbox = cluster.mailbox.bind(cluster);
  cluster.mailbox = (address, receiver) => {
    const opened = mailbox(address, receiver);
    return {
      send: (to, data) => {
        note(to);
        opened.send(to, data);
      },
      close: () => opened.close(),
    };
  };
  return cluster;
}
