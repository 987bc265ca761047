import { fixtureCommand } from '@mcpmux/test-servers';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { describe, expect, it } from 'vitest';

import { HOST } from '../guards/principal.js';
import { createMux } from '../index.js';
import { lone } from '../testing/lone-call.js';
import { MuxClient } from '../testing/mux-client.js';
import { FarServers } from './far-servers.js';
import type { ClusterLink } from './link.js';
import { Links } from './links.js';
import { MemoryNetwork } from './memory-network.js';
import type { Place } from './places.js';

const LIMIT_MS = 60_000;
const PLACE: Place = { kind: 'there', node: 'b-1', name: 'b', epoch: 1, record: { spec: {} } };

/** A client of one node whose call waits in a server of another node, over a network that can lose messages. */
async function waitingCall() {
  const state = { losesAll: false };
  const clock = new ManualClock();
  const later = (deliver: () => void): void => queueMicrotask(() => state.losesAll || deliver());
  const network = new MemoryNetwork({ later });
  const [near, owner] = [createMux({}, { clock }), createMux({}, { clock })];
  await owner.addServer('one', { ...fixtureCommand('cancellable'), callTimeoutMs: LIMIT_MS });
  const serve = () => (link: ClusterLink) =>
    void owner.connect({ input: link, output: link }, { principal: HOST, server: 'one' });
  const there = new Links({ cluster: network.join(), clock, node: 'b-1', serve });
  const here = new Links({ cluster: network.join(), clock, node: 'a-1', serve: () => 'none' });
  const far = new FarServers({ places: new Map([['one', PLACE]]), links: () => here });
  await near.addServer('one', far.config('one', LIMIT_MS));
  const client = await MuxClient.initialized(near);
  client.send(
    '{"jsonrpc":"2.0","id":"w","method":"tools/call","params":{"name":"one__wait","arguments":{}}}',
  );
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 500) {
      clock.advance(500);
      await nextTurn();
    }
  };
  /** What the server was told of cancellations. */
  const told = async (): Promise<string> => {
    const { content } = await lone({ mux: owner }, { name: 'one__cancelled', arguments: {} });
    return content?.[0]?.text ?? '';
  };
  // The server has the call when it answers a later one of the same link.
  await client.call('one__cancelled');
  expect(await told()).toBe('[]');
  return {
    client,
    state,
    pass,
    told,
    cancel: () =>
      client.send(
        '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"w","reason":"r"}}',
      ),
    [Symbol.asyncDispose]: async () => {
      here.close();
      there.close();
      await Promise.all([near.close(), owner.close()]);
    },
  };
}

describe('a call to a server on another node', () => {
  it('is cancelled there when its client has given up', async () => {
    await using call = await waitingCall();
    call.cancel();
    await expect.poll(call.told).toContain('"reason"');
  });

  it('is cancelled there at the limit of the server, and its client gets the reason', async () => {
    await using call = await waitingCall();
    const answer = call.client.responseLine('"w"');
    await call.pass(LIMIT_MS + 500);
    expect(await answer).toContain('no response and no progress for 60 s');
    await expect.poll(call.told).toContain('no response and no progress');
  });

  it('is cancelled there soon although the network has lost the cancellation', async () => {
    await using call = await waitingCall();
    call.state.losesAll = true;
    call.cancel();
    await nextTurn();
    await nextTurn();
    call.state.losesAll = false;
    expect(await call.told()).toBe('[]');
    await call.pass(10_000);
    await expect.poll(call.told).toContain('"requestId"');
  });
});
