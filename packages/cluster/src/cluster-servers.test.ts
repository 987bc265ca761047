import { Duplex } from 'node:stream';

import { expect, it } from 'vitest';
import { createMux, type Mux } from '@mcpmux/core';
import { nullLogger, systemClock } from '@mcpmux/kit';

import { ClusterServers } from './cluster-servers.js';
import { ClusterError } from './cluster.js';
import type { ClusterLink } from './link.js';
import type { ServerLocation } from './server-locations.js';

const record = { spec: {} };
const THERE: ServerLocation = { kind: 'there', record, node: 'b-1', name: 'b', epoch: 1 };
const HERE: ServerLocation = { kind: 'here', record, epoch: 2 };
const NOWHERE: ServerLocation = { kind: 'nowhere', record, reason: 'its node is gone' };

/** The servers of a node to which no other node answers. */
function serversOf(mux: Mux, lists = (): Promise<undefined> => Promise.resolve(undefined)) {
  const doubted: string[] = [];
  const links = {
    open: () => Promise.reject(new ClusterError('NOBODY', 'a stand-in')),
    doubt: (node: string) => void doubted.push(node),
  };
  const servers = new ClusterServers(systemClock, {
    mux,
    logger: nullLogger,
    runnable: () => ({ config: { problem: 'a stand-in', callTimeoutMs: 3000 } }),
    links: () => links,
    catalogs: { read: lists },
    unpublish: () => Promise.resolve(),
  });
  return { servers, doubted };
}

function withMethods(mux: Mux, methods: Partial<Mux>): Mux {
  const all = new Map<string | symbol, unknown>(Object.entries(methods));
  return new Proxy(mux, { get: (_, name) => all.get(name) ?? Reflect.get(mux, name) });
}

it('a node that no longer runs a server is asked whether it is there', async () => {
  const mux = createMux();
  const { servers, doubted } = serversOf(mux);
  await servers.place('one', THERE);
  await servers.place('one', { ...THERE, epoch: 2 });
  expect(doubted).toEqual([]);
  await servers.place('one', NOWHERE);
  await servers.place('one', { ...THERE, node: 'c-1' });
  await servers.place('one', { kind: 'gone' });
  expect(doubted).toEqual(['b-1', 'c-1']);
  await mux.close();
});

it('a call of a server on another node has the time limit of its entry', async () => {
  const mux = createMux();
  const limits: unknown[] = [];
  const addServer: Mux['addServer'] = (name, config, options) => {
    limits.push(config.callTimeoutMs);
    return mux.addServer(name, config, options);
  };
  const { servers } = serversOf(withMethods(mux, { addServer }));
  await servers.place('one', THERE);
  expect(limits).toEqual([3000]);
  await mux.close();
});

it('a server that runs elsewhere from now on is moved, and one that the cluster has no more is removed', async () => {
  const mux = createMux();
  const moves: unknown[] = [];
  const removeServer: Mux['removeServer'] = (name, options = {}) => {
    moves.push(options.isMoved);
    return mux.removeServer(name, options);
  };
  const { servers } = serversOf(withMethods(mux, { removeServer }));
  for (const place of [THERE, HERE, NOWHERE, { kind: 'gone' }] as const) await servers.place('one', place);
  await servers.place('two', HERE);
  await servers.place('two', { kind: 'gone', isLeft: true });
  expect(moves).toEqual([true, true, false, true]);
  await mux.close();
});

it('a link that comes while the lists of a server are read is one to the run that follows', async () => {
  const mux = createMux();
  const left: string[] = [];
  const stream = (): Duplex => new Duplex({ read: () => undefined }).on('error', () => undefined);
  const connect: Mux['connect'] = () => {
    const session = mux.connect({ input: stream(), output: stream() });
    return { ...session, closed: session.closed, leave: () => Promise.resolve(void left.push('left')) };
  };
  let lists = Promise.resolve(undefined);
  const { servers } = serversOf(withMethods(mux, { connect }), () => lists);
  await servers.place('one', THERE);
  let read: () => void = () => undefined;
  lists = new Promise((resolve) => (read = () => resolve(undefined)));
  const placed = servers.place('one', HERE);
  const serve = servers.serve({ server: 'one', epoch: 2 });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only its streams are used
  if (typeof serve === 'function') serve(stream() as ClusterLink);
  read();
  await placed;
  expect(left).toEqual([]);
  await servers.place('one', THERE);
  expect(left).toEqual(['left']);
  await mux.close();
});

it('whoever places a server learns that its link could not be removed', async () => {
  const mux = createMux();
  const removeServer = () => Promise.reject(new Error('a stand-in'));
  const { servers } = serversOf(withMethods(mux, { removeServer }));
  await servers.place('one', THERE);
  await expect(servers.place('one', HERE)).rejects.toThrow('a stand-in');
  await mux.close();
});
