import { ModernRemote } from '@mcpmux/test-servers/modern-remote';
import { RemoteServer } from '@mcpmux/test-servers/remote-server';
import { describe, expect, it } from 'vitest';

import type { ProtocolMode } from '../index.js';
import { MuxRig, textOf } from '../testing/mux-rig.js';

/** The revision in which the one server is spoken to. */
async function revisionOf(rig: MuxRig): Promise<unknown> {
  const { servers } = await rig.client.manage('list_servers');
  return (servers as readonly { readonly protocol_version?: string }[])[0]?.protocol_version;
}

const methodsOf = ({ posts }: ModernRemote): (string | undefined)[] => posts.map(({ body }) => body.method);

describe('the era of a server at a url', () => {
  it.each<readonly [string, 'legacy' | 'modern', ProtocolMode, string]>([
    ['modern', 'modern', 'auto', '2026-07-28'],
    ['modern', 'legacy', 'auto', '2026-07-28'],
    ['modern', 'legacy', 'modern', '2026-07-28'],
    ['dual', 'modern', 'auto', '2026-07-28'],
    ['dual', 'legacy', 'auto', '2025-11-25'],
    ['dual', 'modern', 'legacy', '2025-11-25'],
  ])(
    'of a %s one, tried as %s first with protocol %s, is that of %s',
    async (kind, firstEra, protocol, version) => {
      await using server = await ModernRemote.open({ hasHandshake: kind === 'dual' });
      await using rig = await MuxRig.open({ firstEra });
      await rig.mux.addServer('far', { url: server.url, protocol });
      await expect(revisionOf(rig)).resolves.toBe(version);
    },
  );

  it.each([{}, { transport: 'sse' }, { answersInJson: true }] as const)(
    'is the legacy one for a server on version 1 of the SDK with %j',
    async (options) => {
      await using server = await RemoteServer.open(options);
      await using rig = await MuxRig.open({ firstEra: 'modern' });
      await rig.mux.addServer('far', { url: server.url });
      await expect(revisionOf(rig)).resolves.toBe('2025-11-25');
      expect(textOf((await rig.client.call('far__echo', { message: 'there' })).result)).toBe('there');
    },
  );

  it.each([400, 404, 405, 406, 415, 422, 500, 501])(
    'is the legacy one for a server that answers the probe with status %i',
    async (status) => {
      await using server = await ModernRemote.open({ hasHandshake: true });
      server.answers('server/discover', status, 'what?', 'text/plain');
      await using rig = await MuxRig.open({ firstEra: 'modern' });
      await rig.mux.addServer('far', { url: server.url });
      await expect(revisionOf(rig)).resolves.toBe('2025-11-25');
    },
  );

  it.each([401, 403, 429])('is not found out where the probe is answered with status %i', async (status) => {
    await using server = await ModernRemote.open({ hasHandshake: true });
    server.answers('server/discover', status);
    await using rig = await MuxRig.open({ firstEra: 'modern' });
    await expect(rig.mux.addServer('far', { url: server.url })).rejects.toThrow(String(status));
    expect(methodsOf(server)).toEqual(['server/discover']);
  });

  it('is asked for once more by a server that refuses the very revision that it names', async () => {
    await using server = await ModernRemote.open();
    server.intercept = ({ body }, response) => {
      if (server.posts.length > 1) return false;
      const error = { code: -32022, message: 'unsupported', data: { supported: ['2026-07-28'] } };
      const text = JSON.stringify({ jsonrpc: '2.0', id: body.id, error });
      response.writeHead(400, { 'content-type': 'application/json' }).end(text);
      return true;
    };
    await using rig = await MuxRig.open({ firstEra: 'modern' });
    await rig.mux.addServer('far', { url: server.url });
    await expect(revisionOf(rig)).resolves.toBe('2026-07-28');
  });

  it('is remembered of a server that speaks the modern one alone', async () => {
    await using server = await ModernRemote.open();
    await using rig = await MuxRig.open({ firstEra: 'legacy' });
    await rig.mux.addServer('far', { url: server.url });
    expect(methodsOf(server)[0]).toBe('initialize');
    // It cannot have the deprecated transport, and is not asked for a stream.
    expect(server.others).toEqual([]);
    const known = server.posts.length;
    await rig.mux.reloadServer('far');
    expect(methodsOf(server)[known]).toBe('server/discover');
  });
});
