import { ModernRemote } from '@mcpmux/test-servers/modern-remote';
import { describe, expect, it, vi } from 'vitest';

import { modernRig, REGION } from '../testing/modern-rig.js';
import { MuxClient } from '../testing/mux-client.js';
import { textOf } from '../testing/mux-rig.js';

/** On a machine with other things to do. */
const SOON = { timeout: 10_000, interval: 5 };
const LISTEN = 'subscriptions/listen';

describe('what mcpmux listens to at a modern server at a url', () => {
  it('S13: is one stream for all clients', async () => {
    await using server = await ModernRemote.open();
    await using rig = await modernRig(server);
    const second = await MuxClient.initialized(rig.mux);
    await vi.waitUntil(() => server.listenCount === 1, SOON);
    server.tools = [REGION];
    server.report('notifications/tools/list_changed');
    await rig.listed('far', 'far__region');
    await second.line((line) => line.includes('notifications/tools/list_changed'));
    expect(server.of(LISTEN)).toHaveLength(1);
  });

  it('S13: is opened again when it breaks off, and changes meanwhile are not missed', async () => {
    await using server = await ModernRemote.open();
    await using rig = await modernRig(server);
    await vi.waitUntil(() => server.listenCount === 1, SOON);
    server.tools = [REGION];
    server.breakListens();
    await rig.listed('far', 'far__region');
    expect(server.of(LISTEN)).toHaveLength(2);
    expect(server.others).toEqual([]);
  });

  it('is opened later when the server is not there for it', async () => {
    await using server = await ModernRemote.open();
    server.intercept = ({ body }, response) => {
      if (body.method !== LISTEN || server.of(LISTEN).length > 1) return false;
      response.destroy();
      return true;
    };
    await using rig = await modernRig(server);
    await vi.waitUntil(() => server.listenCount === 1, SOON);
    expect(rig.status('far').status).toBe('running');
    expect(server.of(LISTEN)).toHaveLength(2);
  });

  it('is nothing at a server that does not know how', async () => {
    await using server = await ModernRemote.open({ isDeaf: true });
    await using rig = await modernRig(server);
    await vi.waitUntil(() => server.of(LISTEN).length === 1, SOON);
    expect(textOf((await rig.client.call('far__echo', {})).result)).toBe('{}');
  });

  it('ends with the server', async () => {
    await using server = await ModernRemote.open();
    await using rig = await modernRig(server);
    await vi.waitUntil(() => server.listenCount === 1, SOON);
    await rig.mux.removeServer('far');
    await vi.waitUntil(() => server.listenCount === 0, SOON);
    expect(server.of('notifications/cancelled')).toEqual([]);
  });
});
