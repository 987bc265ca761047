import { lone } from '@mcpmux/core/testing/stateless-call';
import { MuxClient } from '@mcpmux/core/testing/mux-client';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { describe, expect, it } from 'vitest';

import { remoteNodeServer } from './testing/remote-node-server.js';

const LIMIT_MS = 60_000;

/** A client of one node whose call waits in a server of another node. */
async function waitingCall() {
  const nodes = await remoteNodeServer({
    name: 'one',
    fixture: 'cancellable',
    limitMs: LIMIT_MS,
    stepMs: 500,
  });
  const client = await MuxClient.initialized(nodes.near);
  client.send(
    '{"jsonrpc":"2.0","id":"w","method":"tools/call","params":{"name":"one__wait","arguments":{}}}',
  );
  /** The cancellations that the server was told of. */
  const reported = async (): Promise<string> => {
    const { content } = await lone({ mux: nodes.owner }, { name: 'one__cancelled', arguments: {} });
    return content?.[0]?.text ?? '';
  };
  // The server has the call when it answers a later one of the same link.
  await client.call('one__cancelled');
  expect(await reported()).toBe('[]');
  return {
    ...nodes,
    client,
    reported,
    cancel: () =>
      client.send(
        '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"w","reason":"r"}}',
      ),
  };
}

describe('a call to a server on another node', () => {
  it('is cancelled there when its client has given up', async () => {
    await using call = await waitingCall();
    call.cancel();
    await expect.poll(call.reported).toContain('"reason"');
  });

  it('is cancelled there at the limit of the server, and its client gets the reason', async () => {
    await using call = await waitingCall();
    const answer = call.client.responseLine('"w"');
    await call.pass(LIMIT_MS + 500);
    expect(await answer).toContain('no response and no progress for 60 s');
    await expect.poll(call.reported).toContain('no response and no progress');
  });

  it('is cancelled there soon although the network has lost the cancellation', async () => {
    await using call = await waitingCall();
    call.state.losesAll = true;
    call.cancel();
    await nextTurn();
    await nextTurn();
    call.state.losesAll = false;
    expect(await call.reported()).toBe('[]');
    await call.pass(10_000);
    await expect.poll(call.reported).toContain('"requestId"');
  });
});
