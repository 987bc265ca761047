import { createMux, HOST } from '@mcpmux/core';
import { fixtureCommand, type FixtureName } from '@mcpmux/test-servers';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { nextTurn } from '@mcpmux/testing/next-turn';

import { RemoteNodeServers } from '../remote-node-servers.js';
import type { ClusterLink } from '../link.js';
import { Links } from '../links.js';
import { MemoryNetwork } from '../memory-network.js';
import type { ServerLocation } from '../server-locations.js';

const PLACE: ServerLocation = { kind: 'there', node: 'b-1', name: 'b', epoch: 1, record: { spec: {} } };

/** The server of another node, and its time limit for calls in milliseconds. */
interface RemoteNodeServerOptions {
  readonly name: string;
  readonly fixture: FixtureName;
  readonly limitMs: number;
  /** So much time passes between two turns, in milliseconds. */
  readonly stepMs: number;
}

/** A mux in front of a server that another node runs, over a network that can lose all messages. */
export async function remoteNodeServer({ name, fixture, limitMs, stepMs }: RemoteNodeServerOptions) {
  const state = { losesAll: false };
  const clock = new ManualClock();
  const later = (deliver: () => void): void => queueMicrotask(() => state.losesAll || deliver());
  const network = new MemoryNetwork({ later });
  const [near, owner] = [createMux({}, { clock }), createMux({}, { clock })];
  await owner.addServer(name, { ...fixtureCommand(fixture), callTimeoutMs: limitMs });
  const serve = () => (link: ClusterLink) =>
    void owner.connect({ input: link, output: link }, { principal: HOST, server: name });
  const there = new Links({ cluster: network.join(), clock, node: 'b-1', serve });
  const here = new Links({ cluster: network.join(), clock, node: 'a-1', serve: () => 'none' });
  const remote = new RemoteNodeServers(
    (server) => (server === name ? PLACE : undefined),
    () => here,
  );
  await near.addServer(name, remote.configFor(name, limitMs));
  return {
    state,
    near,
    owner,
    pass: async (ms: number): Promise<void> => {
      for (let passed = 0; passed < ms; passed += stepMs) {
        clock.advance(stepMs);
        await nextTurn();
      }
    },
    [Symbol.asyncDispose]: async () => {
      here.close();
      there.close();
      await Promise.all([near.close(), owner.close()]);
    },
  };
}
